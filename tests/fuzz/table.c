/* SPDX-License-Identifier: MIT */
/* report/table as a whole, in the format that the first byte says. */
#include "fuzz.h"

#define main table_main
int main(int argc, char **argv);
#include "../../report/table.c"

void
fuzz_setup(void)
{
}

void
fuzz_one(const uint8_t *data, size_t size)
{
	static const char *const formats[] = {"md", "text", "csv", "json",
		"tex", "benchstat"};
	char file[64], format[16];
	char *argv[] = {"table", "-f", format, file, NULL};

	if (size < 1)
		return;
	(void)snprintf(format, sizeof format, "%s", formats[data[0] % 6]);
	(void)snprintf(file, sizeof file, "%s", fuzz_file(data + 1, size - 1));
	optind = 0;             /* of glibc: start anew */
	(void)table_main(4, argv);
}
