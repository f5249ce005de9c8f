#!/bin/sh
# SPDX-License-Identifier: MIT
# switch/rows loads into a PostgreSQL: what comes over the wire, and a server of
# our own, as a plain user, in a temporary folder.
set -eu
export LC_ALL=C
. "$(dirname "$0")/lib.sh"

rows=$BUILD/switch/rows

# With sanitizers, where the compiler has them.
wire() {
	set -- -std=c11 -O1 -g -pthread -I"$root/bench" \
	    "$root/tests/postgres.c" "$root/switch/peer/conninfo.c" \
	    "$root/switch/peer/exchange.c" "$root/bench/util.c" \
	    -o "$tmp/wire"
	# shellcheck disable=SC2086
	$CC -fsanitize=address,undefined "$@" 2>/dev/null || $CC "$@"
	ASAN_OPTIONS=detect_leaks=0 "$tmp/wire"
}

usage() {
	for wrong in '' 'user' 'user=u hots=x' "user='u" 'user=u port=0' \
	    'user=u port=70000' 'user=u host=db.example' 'host=127.0.0.1' \
	    'user=u host=300.0.0.1' 'postgresql://u@127.0.0.1/d' \
	    "user=$(printf '%064d' 0)" "user=u host=/$(printf '%0107d' 0)"; do
		refused "$rows" --postgres "$wrong"
		has "$tmp/err" '^rows: --postgres: '
	done
	refused "$rows" --postgres 'user=u sslmode=require'
	said "'sslmode': not one of host, port, user, dbname, password"
}

nobody_there() {
	expect 77 "$rows" --postgres "user=u host=$tmp" -w 2
	has "$tmp/err" "PostgreSQL on $tmp, port 5432: No such file"
	expect 77 "$rows" --postgres 'user=u port=1' -w 2 --as thread
	said 'PostgreSQL on 127.0.0.1, port 1: Connection refused'
}

check 'answers in parts of any size' wire
check 'options' usage
check 'nobody there' nobody_there

# The newest that Debian has, else whose commands these are.
bin=
for dir in "$(dirname "$(command -v initdb || :)")" \
    "$(pg_config --bindir 2>/dev/null || :)" /usr/lib/postgresql/*/bin; do
	[ ! -x "$dir/initdb" ] || [ ! -x "$dir/postgres" ] ||
		[ ! -x "$dir/psql" ] || bin=$dir
done
[ -n "$bin" ] || skip_all "no PostgreSQL"

# PostgreSQL does not run as root.
as_user=
mkdir "$tmp/pg"
if [ "$(id -u)" = 0 ]; then
	have setpriv || skip_all "no setpriv"
	as_user='setpriv --reuid=65534 --regid=65534 --clear-groups'
	chmod 755 "$tmp"
	chown 65534:65534 "$tmp/pg"
fi

server=
port=$((20000 + $$ % 10000))

# query SQL [DATABASE]
query() {
	"$bin/psql" -X -q -A -t -v ON_ERROR_STOP=1 -h "$tmp/pg" -p $port \
	    -U nps -d "${2-postgres}" -c "$1"
}

# It has nothing to keep.
stop() {
	[ -n "$server" ] || return 0
	kill -QUIT "$server" 2>/dev/null || :
	wait "$server" 2>/dev/null || :
	server=
}

leave() {
	ended=$?
	set +e
	stop
	(exit "$ended")
	finish
}
trap leave EXIT

# start MAX_CONNECTIONS: on a port that is free, or end.
start() {
	for _ in 1 2 3 4 5; do
		port=$((port + 1))
		# shellcheck disable=SC2086
		(cd "$tmp/pg" && exec $as_user "$bin/postgres" \
		    -D "$tmp/pg/data" -p $port -k "$tmp/pg" -h 127.0.0.1 \
		    -N "$1" -F) >"$tmp/pg.log" 2>&1 </dev/null &
		server=$!
		tries=0
		while kill -0 "$server" 2>/dev/null && [ $tries -lt 60 ]; do
			! query 'SELECT 1' >/dev/null 2>&1 || return 0
			tries=$((tries + 1))
			sleep 0.5
		done
		stop
	done
	report 'not ok' "a server: $(tail -n 3 "$tmp/pg.log")"
	exit 1
}

make_cluster() {
	cd "$tmp/pg"
	# shellcheck disable=SC2086
	$as_user "$bin/initdb" -D data -U nps -A trust -E UTF8 --no-locale \
	    --no-sync
	cat >data/pg_hba.conf <<-'EOF'
	local all all trust
	host all secret 127.0.0.1/32 password
	host all scrambled 127.0.0.1/32 scram-sha-256
	host all hashed 127.0.0.1/32 md5
	host all all 127.0.0.1/32 trust
	EOF
}

# What PostgreSQL does with a row is done to it as soon as there is a table.
spoil() {
	query "CREATE DATABASE $1"
	query "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql
		AS \$\$ BEGIN $3 END \$\$;
	CREATE FUNCTION watch() RETURNS event_trigger LANGUAGE plpgsql
		AS \$\$ DECLARE t text; BEGIN
		FOR t IN SELECT object_identity FROM
			pg_event_trigger_ddl_commands()
		LOOP EXECUTE 'CREATE TRIGGER spoil $2 INSERT ON ' || t ||
			' FOR EACH ROW EXECUTE FUNCTION spoil()';
		END LOOP; END \$\$;
	CREATE EVENT TRIGGER watch ON ddl_command_end
		WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION watch()" "$1"
}

prepare() {
	query "CREATE ROLE secret LOGIN PASSWORD 'it''s one'"
	query "CREATE ROLE scrambled LOGIN PASSWORD 'x'"
	query "SET password_encryption = md5;
		CREATE ROLE hashed LOGIN PASSWORD 'x'"
	query "GRANT ALL ON SCHEMA public TO secret"
	spoil refuses BEFORE "IF new.id = 7 THEN RETURN NULL; END IF;
		RETURN new;"
	spoil forgets AFTER "EXECUTE format('DELETE FROM %I WHERE id = 7',
		tg_table_name); RETURN NULL;"
	spoil changes BEFORE "new.id = greatest(new.id, 2); RETURN new;"
}

# load CODE OPTION...: into our server, by its socket.
load() {
	code=$1
	shift
	expect "$code" "$rows" -s 1 \
	    --postgres "host=$tmp/pg port=$port user=nps dbname=$database" "$@"
	! grep -q '^Benchmark' "$tmp/out" || strict "$tmp/out"
}
database=postgres

tables() {
	query "SELECT relname FROM pg_class WHERE relname ~ '^nps_' ORDER BY 1"
}

nothing_left() {
	left=$(tables)
	[ -z "$left" ] || fail "left behind: $left"
}

# has_row WAY VALUES WORKERS ROWS
has_row() {
	has "$tmp/out" \
	    "^BenchmarkRows/as=$1/with=postgres/$2/place=same/workers=$3  $4  "
}

loads() {
	load 0 --as "$1" -w 120 -n 1200 -s 2
	has_row "$1" rows=1200 120 1200
	load 0 --as "$1" -w 120 -n 24000 --batch 100
	has_row "$1" rows=24000/batch=100 120 24000
	# Shares and last requests of other sizes; some with nothing to do.
	load 0 --as "$1" -w 7 -n 1000 --batch 13
	load 0 --as "$1" -w 8 -n 5
	load 0 --as "$1" -w 3 -n 6000 --batch 1000
	nothing_left
}

# lost DATABASE BATCH MESSAGE: a row that is not there is noticed.
lost() {
	database=$1
	for way in thread process callback; do
		load 1 --as $way -w 5 -n 20 --batch "$2"
		said "$3"
		has "$tmp/out" '^# fail: Rows/'
		lacks "$tmp/out" '^Benchmark'
	done
}

# login CODE USER PASSWORD [MESSAGE]
login() {
	expect "$1" "$rows" --as thread -w 2 -n 10 -s 1 --postgres \
	    "host=localhost port=$port user=$2 dbname=postgres password=$3"
	[ $# = 3 ] || said "$4"
}

logins() {
	login 0 nps ''
	login 0 secret "'it\\'s one'"
	login 1 secret wrong ': FATAL 28P01: password authentication failed'
	login 1 secret '' ': the server wants a password: password=...$'
	login 1 scrambled x 'SCRAM; .* knows trust and password: choose one'
	login 1 hashed x 'MD5; .* knows trust and password: choose one'
}

refusals() {
	database=$(printf '\303\244')
	load 1 --as callback
	database=postgres
	said ': FATAL 3D000: database "[?]+" does not exist$'
	load 77 --as callback --delay 1
	said 'takes its own time: no --delay'
	(
		# shellcheck disable=SC3045
		ulimit -n 16
		load 77 --as callback -w 50,2 -n 10
	)
	has "$tmp/out" '^# skip: .*/workers=50: .*open files'
	has "$tmp/out" '^Benchmark.*/workers=2 '
	nothing_left
}

# begin WAY: to load in the background, until some rows are there.
begin() {
	# Of a server that was killed.
	old=$(tables)
	"$rows" --as "$1" -w 20 -n 1000000 -s 1 --postgres \
	    "host=$tmp/pg port=$port user=nps dbname=postgres" \
	    >"$tmp/out" 2>"$tmp/err" &
	program=$!
	for _ in $(seq 100); do
		kill -0 $program || fail "ended: $(cat "$tmp/err")"
		table=$(tables)
		if [ -n "$table" ] && [ "$table" != "$old" ] &&
		    [ "$(query "SELECT count(*) > 0 FROM $table")" = t ]; then
			return 0
		fi
		sleep 0.1
	done
	kill $program
	fail "no rows after 10 s"
}

# Of tables left behind, those go that nobody can be using.
left_behind() {
	begin thread
	kill -KILL $program
	wait $program || :
	[ "$(tables)" = "$table" ] || fail "no table to be left behind"
	alive=$(query "SELECT 'nps_rows_' || pid FROM pg_stat_activity
		WHERE backend_type = 'checkpointer'")
	query "CREATE TABLE nps_rows_x (); CREATE TABLE $alive ();
		CREATE TABLE nps_rows_99999998 ();
		ALTER TABLE nps_rows_99999998 OWNER TO secret;
		CREATE TABLE nps_rows_99999999 ()"
	for _ in $(seq 100); do
		[ "$(query "SELECT count(*) FROM pg_stat_activity
			WHERE application_name = 'ns-per-switch'")" != 0 ] ||
			break
		sleep 0.1
	done
	load 0 --as callback -w 2 -n 10
	others=$(printf '%s\n' nps_rows_x "$alive" nps_rows_99999998 | sort)
	[ "$(tables)" = "$others" ] || fail "there are: $(tables)"
	query "DROP TABLE nps_rows_x, nps_rows_99999998, $alive"
}

# killed WAY: the server is, in mid-run.
killed() {
	begin "$1"
	kill -QUIT "$server"
	for _ in $(seq 50); do
		kill -0 $program 2>/dev/null || break
		sleep 0.1
	done
	! kill $program 2>/dev/null || fail "still there after 5 s"
	got=0
	wait $program || got=$?
	[ $got = 1 ] || fail "exit code $got: $(cat "$tmp/err")"
	said '^rows: Rows/as=.*(hung up|is gone|57P0)'
	has "$tmp/out" '^# fail: '
}

# The row that wants more than there are is skipped, the next one runs.
too_few() {
	load 77 --as thread -w 20,5 -n 100
	has "$tmp/err" '[0-9] of 20 connections: FATAL 53300: '
	has_row thread rows=100 5 100
	nothing_left
}

check 'initdb' make_cluster
[ "$failures" = 0 ] || exit 1
start 360
check 'roles and databases' prepare
for way in thread process greenlet callback; do
	check "120 connections, as=$way" loads $way
done
check '350 connections' load 0 --as thread,callback -w 350 -n 3500 --batch 10
check 'a row refused' lost refuses 1 "said 'INSERT 0 0' to 1 rows"
check 'a row of a batch refused' lost refuses 4 "said 'INSERT 0 3' to 4 rows"
check 'a row forgotten' lost forgets 1 'ids of 19 rows add up to 203'
check 'a row changed' lost changes 4 'ids of 20 rows add up to 211'
check 'trust, password, and others' logins
check 'refusals' refusals
check 'tables left behind' left_behind
for way in thread process greenlet callback; do
	check "the server is killed, as=$way" killed $way
	stop
	start 360
done
stop
start 10
check 'too few connections' too_few
