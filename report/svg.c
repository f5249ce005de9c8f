/* SPDX-License-Identifier: MIT */
#include "svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "records.h"

static const struct {
	int size;
	bool bold;
	const char *class;
} styles[] = {
	[TITLE] = {17, true, "ink"},
	[HEADING] = {13, true, "ink"},
	[STRONG] = {12, true, "ink"},
	[PLAIN] = {12, false, "ink"},
	[MUTED] = {12, false, "mute"},
};

/* No script, no font from elsewhere; a page's own colours do not matter. */
static const char sheet[] =
	".paper{fill:#fff}.ink{fill:#1c2128}.mute{fill:#57606a}"
	".grid{stroke:#dfe3e8}.whisker{stroke:#1c2128}"
	".band{fill:#fbf1d9}\n"
	".k0{color:#bf4f00}.k1{color:#00477d}.k2{color:#848c95}"
	".k3{color:#008f6b}.k4{color:#c468a0}.k5{color:#d99a00}\n"
	"@media(prefers-color-scheme:dark){"
	".paper{fill:#0d1117}.ink{fill:#e6edf3}.mute{fill:#9ba5b0}"
	".grid{stroke:#2a313a}.whisker{stroke:#e6edf3}"
	".band{fill:#2b2614}\n"
	".k0{color:#e8743a}.k1{color:#7cc6f4}.k2{color:#848d97}"
	".k3{color:#18a883}.k4{color:#d98cba}.k5{color:#f0c04a}}\n";

/* Thousandths of the size, of ' ' to '~': DejaVu Sans, which is as wide as any
 * sans-serif of today. */
static const unsigned short widths[] = {
	318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,
	318, 337, 636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337,
	838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295,
	295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989,
	685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615,
	352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521,
	392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
};

double
svg_width(enum style style, const char *s)
{
	double sum = 0;

	for (; *s != '\0'; s++) {
		unsigned char c = (unsigned char)*s;

		if (c >= ' ' && c <= '~')
			sum += widths[c - ' '];
		else if ((c & 0xc0) != 0x80)
			sum += 1000;    /* whatever it is, it is no wider */
	}
	return sum * styles[style].size / 1000 * (styles[style].bold ? 1.12 :
		1);
}

/* Bytes of the character at s that XML may hold, or 0 (XML 1.0, 2.2): U+FFFE
 * and U+FFFF are none. */
static size_t
character(const char *s)
{
	size_t n = utf8_length(s);

	if (n == 1 && ((unsigned char)*s < ' ' || *s == 0x7f))
		return 0;
	return n == 3 && memcmp(s, "\xef\xbf", 2) == 0 &&
		(unsigned char)s[2] > 0xbd ? 0 : n;
}

void
svg_escape(struct text *t, const char *s)
{
	while (*s != '\0') {
		size_t n = character(s);
		const char *as = *s == '&' ? "&amp;" : *s == '<' ? "&lt;" :
			*s == '>' ? "&gt;" : *s == '"' ? "&quot;" : NULL;

		if (n == 0)
			text_add(t, "?");
		else if (as != NULL)
			text_add(t, "%s", as);
		else
			text_add(t, "%.*s", (int)n, s);
		s += n ? n : 1;
	}
}

void
svg_text(struct picture *p, double x, double y, enum style style,
	enum anchor anchor, double most, const char *s)
{
	static const char *const anchors[] = {"", " text-anchor=\"middle\"",
		" text-anchor=\"end\""};
	size_t len = strlen(s);
	char *cut_short = need(len + 4, 1);

	memcpy(cut_short, s, len);
	while (len > 0 && svg_width(style, cut_short) > most) {
		/* Whole characters go. */
		do
			len--;
		while (len > 0 && ((unsigned char)s[len] & 0xc0) == 0x80);
		memcpy(cut_short + len, "...", 4);
	}
	text_add(&p->body, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\"%s"
		" class=\"%s\"%s>", x, y, styles[style].size,
		styles[style].bold ? " font-weight=\"bold\"" : "",
		styles[style].class, anchors[anchor]);
	svg_escape(&p->body, cut_short);
	text_add(&p->body, "</text>\n");
	free(cut_short);
}

void
svg_prose(struct picture *p, enum style style, const char *s)
{
	double most = SVG_WIDE - 2 * SVG_EDGE;
	struct text line = {0};

	while (*s != '\0') {
		size_t len = strcspn(s, " "), had = line.len;

		/* A number keeps its unit. */
		while (len > 0 && s[len] == ' ' && s[len - 1] >= '0' &&
		    s[len - 1] <= '9')
			len += 1 + strcspn(s + len + 1, " ");
		text_add(&line, "%s%.*s", had ? " " : "", (int)len, s);
		if (had > 0 && svg_width(style, line.s) > most) {
			line.s[had] = '\0';
			p->y += styles[style].size + 4;
			svg_text(p, SVG_EDGE, p->y, style, START, most,
				line.s);
			line.len = 0;
			continue;
		}
		s += len + strspn(s + len, " ");
	}
	if (line.len > 0) {
		p->y += styles[style].size + 4;
		svg_text(p, SVG_EDGE, p->y, style, START, most, line.s);
	}
	text_free(&line);
}

void
svg_grid(struct picture *p, double x1, double y1, double x2, double y2)
{
	text_add(&p->body, "<path class=\"grid\" "
		"d=\"M%.1f %.1fL%.1f %.1f\"/>\n", x1, y1, x2, y2);
}

void
svg_band(struct picture *p, double y, double height)
{
	text_add(&p->body, "<rect class=\"band\" x=\"%d\" y=\"%.1f\" "
		"width=\"%d\" height=\"%.1f\" rx=\"3\"/>\n", SVG_EDGE / 2, y,
		SVG_WIDE - SVG_EDGE, height);
}

void
svg_line(struct picture *p, enum colour colour, int dash, double x1, double y1,
	double x2, double y2)
{
	static const char *const dashes[] = {" stroke-width=\"1.6\"",
		" stroke-width=\"1.6\" stroke-dasharray=\"8 3\"",
		" stroke-width=\"1.6\" stroke-dasharray=\"4 2\"",
		" stroke-width=\"1.6\" stroke-dasharray=\"9 3 2 3\"",
		[DOTTED] = " stroke-dasharray=\"1 3\""};

	text_add(&p->body, "<path class=\"k%d\" stroke=\"currentColor\"%s "
		"d=\"M%.1f %.1fL%.1f %.1f\"/>\n", (int)colour, dashes[dash],
		x1, y1, x2, y2);
}

void
svg_interval(struct picture *p, enum colour colour, double x1, double y1,
	double x2, double y2)
{
	text_add(&p->body, "<path class=\"k%d\" stroke=\"currentColor\" "
		"stroke-width=\"6\" opacity=\".4\" "
		"d=\"M%.1f %.1fL%.1f %.1f\"/>\n", (int)colour, x1, y1, x2, y2);
}

void
svg_whisker(struct picture *p, double x1, double y1, double x2, double y2)
{
	text_add(&p->body, "<path class=\"whisker\" stroke-width=\"1.4\" "
		"d=\"M%.1f %.1fL%.1f %.1f\"/>\n", x1, y1, x2, y2);
}

/* "class=... fill=... stroke=...": hollow ones are filled as the paper is. */
static void
filled(struct picture *p, enum colour colour, bool hollow)
{
	text_add(&p->body, "<g class=\"k%d\" stroke=\"currentColor\" "
		"stroke-width=\"1.6\"><path %s ", (int)colour,
		hollow ? "class=\"paper\"" : "fill=\"currentColor\"");
}

void
svg_mark(struct picture *p, enum colour colour, bool hollow, double x, double y)
{
	static const char *const shapes[] = {
		[SQUARE] = "m-3.6-3.6h7.2v7.2h-7.2z",
		[CIRCLE] = "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
		[DIAMOND] = "m-5 0l5-5l5 5l-5 5z",
		[TRIANGLE] = "m-4.6 3.8l4.6-8.2l4.6 8.2z",
		[PENTAGON] = "m0-4.8l4.6 3.4l-1.8 5.4h-5.6l-1.8-5.4z",
		[WEDGE] = "m-4.6-3.8h9.2l-4.6 8.2z",
	};

	filled(p, colour, hollow);
	text_add(&p->body, "d=\"M%.1f %.1f%s\"/></g>\n", x, y, shapes[colour]);
}

void
svg_bar(struct picture *p, enum colour colour, bool hollow, double x, double y,
	double width, double height)
{
	filled(p, colour, hollow);
	text_add(&p->body, "d=\"M%.1f %.1fh%.1fv%.1fh%.1fz\"/></g>\n", x, y,
		width, height, -width);
}

void
svg_begin(struct picture *p, const char *name)
{
	text_add(&p->body, "<g><title>");
	svg_escape(&p->body, name);
	text_add(&p->body, "</title>\n");
}

void
svg_end(struct picture *p)
{
	text_add(&p->body, "</g>\n");
}

void
svg_file(struct text *out, const struct picture *p)
{
	text_add(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		"viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\" "
		"role=\"img\" aria-labelledby=\"%s-title %s-desc\" "
		"font-family=\"system-ui,'DejaVu Sans',sans-serif\" "
		"fill=\"none\">\n", SVG_WIDE, p->y, SVG_WIDE, p->y, p->name,
		p->name);
	text_add(out, "<title id=\"%s-title\">", p->name);
	svg_escape(out, p->title.s);
	text_add(out, "</title>\n<desc id=\"%s-desc\">", p->name);
	svg_escape(out, p->words.s ? p->words.s : "");
	text_add(out, "</desc>\n<style>\n%s</style>\n"
		"<rect class=\"paper\" width=\"%d\" height=\"%.0f\"/>\n", sheet,
		SVG_WIDE, p->y);
	text_add(out, "%s</svg>\n", p->body.s);
}

void
svg_free(struct picture *p)
{
	text_free(&p->title);
	text_free(&p->words);
	text_free(&p->body);
}

double
axis_at(const struct axis *a, double v)
{
	return a->from + (a->to - a->from) * log(v / a->low) /
		log(a->high / a->low);
}

/* Step i of 1, 10, 100 ... or of 1, 2, 5, 10, 20 ...; may be negative. */
static double
step(int i, bool fine)
{
	static const double thirds[] = {1, 2, 5};
	int power = fine ? (i >= 0 ? i / 3 : -((2 - i) / 3)) : i;

	return (fine ? thirds[i - 3 * power] : 1) * pow(10, power);
}

static bool
is_fine(double low, double high)
{
	return high < 100 * low;
}

struct axis
axis_make(double low, double high, double from, double to)
{
	struct axis a = {.from = from, .to = to};
	bool fine = is_fine(low, high);
	int first = (int)floor(log10(low)) * (fine ? 3 : 1), last;

	/* A value on a step is not to fall off it by a last bit. */
	while (step(first + 1, fine) <= low * (1 + 1e-9))
		first++;
	for (last = first + 1; step(last, fine) < high * (1 - 1e-9); last++)
		;
	a.low = step(first, fine);
	a.high = step(last, fine);
	return a;
}

size_t
axis_ticks(const struct axis *a, double *tick)
{
	bool fine = is_fine(a->low, a->high);
	int i = (int)floor(log10(a->low)) * (fine ? 3 : 1) - 3;
	size_t n = 0;

	for (; step(i, fine) <= a->high * (1 + 1e-9) && n < TICKS_MOST; i++)
		if (step(i, fine) >= a->low * (1 - 1e-9))
			tick[n++] = step(i, fine);
	return n;
}
