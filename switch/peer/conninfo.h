/* SPDX-License-Identifier: MIT */
/* Which PostgreSQL, and who we are to it: keyword=value as libpq takes it. */
#ifndef CONNINFO_H
#define CONNINFO_H

#include "util.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

struct conninfo {
	char host[108];         /* 127.0.0.1 unless given; with a '/', the
	                         * folder of its socket */
	char port[6];           /* 5432 */
	char user[64];
	char dbname[64];        /* the user's name */
	char password[256];     /* none: empty */
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_un un;
	} address;
	socklen_t length;       /* of the address */
};

/* A usage error says what is wrong with the string. */
void conninfo_parse(const char *s, struct conninfo *c);

#endif
