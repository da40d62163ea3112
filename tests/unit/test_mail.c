/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "zonelab/file.h"
#include "zonelab/mail.h"

static struct zl_mail read_mail(const char *text)
{
	struct zl_mail m;
	struct zl_error err = {0};

	if (zl_mail_read(text, strlen(text), zl_allocator_heap(), &m, &err) != 0) {
		fail_msg("%u: %s", err.line, err.text);
	}
	return m;
}

/* The file's line on which the first message's line with @part stood. */
static unsigned line_of(const struct zl_mail_message *m, const char *part)
{
	const char *at = strstr(m->text, part);
	size_t n = 0;

	if (at == NULL) {
		fail_msg("'%s' is not in: %s", part, m->text);
		return 0;
	}
	for (const char *p = m->text; p < at; p++) {
		n += *p == '\n';
	}
	assert_in_range(n, 0, m->nr_lines - 1);
	return m->line[n];
}

static void quoted_printable_is_undone_and_lines_keep_their_numbers(void **state)
{
	struct zl_mail m = read_mail("From: A <a@example.org>\n"
				     "Subject: [PATCH v2 1/2] mm: one thing\n"
				     " and another\n"
				     "Content-Type: text/plain; charset=UTF-8\n"
				     "Content-Transfer-Encoding: quoted-printable\n"
				     "\n"
				     "A long line that was=\n"
				     " broken =E2=80=94 softly.  \n"
				     "=20\n"
				     "a =3D b and =zz stays\n");
	const struct zl_mail_message *msg = &m.message[0];

	(void)state;
	assert_int_equal(1, m.nr_messages);
	assert_string_equal("[PATCH v2 1/2] mm: one thing and another", msg->subject.text);
	assert_string_equal("mm: one thing and another", msg->subject.text + msg->subject.stem);
	assert_int_equal(2, msg->subject.version);
	assert_int_equal(1, msg->subject.part);
	assert_int_equal(2, msg->subject.parts);
	assert_string_equal(
		"A long line that was broken \xe2\x80\x94 softly.\n \na = b and =zz stays\n",
		msg->text);
	assert_int_equal(7, line_of(msg, "A long line"));
	assert_int_equal(10, line_of(msg, "a = b"));
	zl_mail_done(&m);
}

static void base64_and_other_character_sets_become_utf8(void **state)
{
	struct zl_mail m = read_mail("Subject: =?iso-8859-1?Q?gr=FC=DFe?= =?utf-8?B?IHp3ZWk=?=\n"
				     "Content-Type: text/plain; charset=\"windows-1252\"\n"
				     "Content-Transfer-Encoding: base64\n"
				     "\n"
				     "b25lIJMgdHdv\n"
				     "lA0KdGhyZWUK\n");

	(void)state;
	assert_string_equal("gr\xc3\xbc\xc3\x9f"
			    "e zwei",
		m.message[0].subject.text);
	assert_string_equal("one \xe2\x80\x9c two\xe2\x80\x9d\nthree\n", m.message[0].text);
	assert_int_equal(6, line_of(&m.message[0], "three"));
	assert_false(m.message[0].unknown_charset);
	zl_mail_done(&m);
}

static void an_unknown_character_set_is_said(void **state)
{
	struct zl_mail m =
		read_mail("Subject: x\nContent-Type: text/plain; charset=koi8-r\n\n\xc1!\n");

	(void)state;
	assert_true(m.message[0].unknown_charset);
	assert_string_equal("koi8-r", m.message[0].charset);
	assert_string_equal("?!\n", m.message[0].text);
	zl_mail_done(&m);
}

static void flowed_lines_are_joined_and_signatures_are_not(void **state)
{
	struct zl_mail m = read_mail("Subject: x\nContent-Type: text/plain; format=flowed\n\n"
				     "one \ntwo\n  stuffed\n-- \nsig\n");

	(void)state;
	assert_string_equal("one two\n stuffed\n-- \nsig\n", m.message[0].text);
	zl_mail_done(&m);
}

static void parts_that_are_no_text_are_left_out(void **state)
{
	struct zl_mail m = read_mail("Subject: x\n"
				     "Content-Type: multipart/mixed;\n"
				     "\tboundary=\"==b\"\n"
				     "\n"
				     "preamble\n"
				     "--==b\n"
				     "Content-Type: text/plain\n"
				     "\n"
				     "see below\n"
				     "--==b\n"
				     "Content-Type: text/html\n"
				     "\n"
				     "<p>see below</p>\n"
				     "--==b\n"
				     "Content-Type: application/octet-stream;\n"
				     " name=\"0001-x.patch\"\n"
				     "Content-Transfer-Encoding: base64\n"
				     "\n"
				     "ZGlmZgo=\n"
				     "--==b--\n"
				     "epilogue\n");

	(void)state;
	assert_string_equal("see below\ndiff\n", m.message[0].text);
	assert_int_equal(1, m.message[0].other_parts);
	assert_int_equal(19, line_of(&m.message[0], "diff"));
	zl_mail_done(&m);
}

static void an_mbox_is_split_and_escaped_from_is_undone(void **state)
{
	struct zl_mail m =
		read_mail("From a@example.org Mon Jan  1 10:20:30 2024\nSubject: one\n\nfirst\n"
			  ">From here on\n"
			  "From there on, no separator\n"
			  "\n"
			  "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n"
			  "Subject: [PATCH] two\n\nsecond\n");

	(void)state;
	assert_int_equal(2, m.nr_messages);
	assert_string_equal(
		"first\nFrom here on\nFrom there on, no separator\n\n", m.message[0].text);
	assert_string_equal("second\n", m.message[1].text);
	assert_int_equal(8, m.message[1].first_line);
	zl_mail_done(&m);
}

static void a_thread_copied_from_an_archive_is_split_at_its_titles(void **state)
{
	struct zl_mail m = read_mail("[PATCH v3] mm: x\n\n[PATCH v3] mm: x\n\n[A]\n\nbody\n\n"
				     "Re: [PATCH v3] mm: x\n\n[B]\n\n> body\n\nno\n");

	(void)state;
	assert_int_equal(2, m.nr_messages);
	assert_int_equal(3, m.message[0].subject.version);
	assert_false(m.message[0].subject.reply);
	assert_true(m.message[1].subject.reply);
	assert_int_equal(13, line_of(&m.message[1], "> body"));
	zl_mail_done(&m);
}

static void headers_and_body_on_one_line_still_give_a_subject(void **state)
{
	char text[2048] = "From x@z Thu Jan 1 00:00:00 1970 Received: from a Message-ID: <1@b> "
			  "Subject: Re: [PATCH v7] mm: Add CONFIG_X Content-Language: en-US "
			  "Content-Transfer-Encoding: 7bit On 5/21/25, A wrote: ";
	struct zl_mail m;

	(void)state;
	for (unsigned i = 0; i < 60; i++) {
		strcat(text, "> words ");
	}
	m = read_mail(text);
	assert_int_equal(1, m.nr_messages);
	assert_true(m.message[0].run_together);
	assert_string_equal("Re: [PATCH v7] mm: Add CONFIG_X", m.message[0].subject.text);
	assert_int_equal(7, m.message[0].subject.version);
	zl_mail_done(&m);
}

static void what_web_archives_do_to_characters_is_undone(void **state)
{
	struct zl_mail m = read_mail("if (pcp-&gt;count &gt;= a &amp;&amp; b\xc2\xa0&lt; c)\n");
	struct zl_mail plain = read_mail("the entity &gt; stays in prose\n");

	(void)state;
	assert_string_equal("if (pcp->count >= a && b < c)\n", m.message[0].text);
	assert_string_equal("the entity &gt; stays in prose\n", plain.message[0].text);
	zl_mail_done(&m);
	zl_mail_done(&plain);
}

static void tags_of_subjects_are_understood(void **state)
{
	static const struct {
		const char *text, *stem, *tree;
		unsigned version, part, parts;
		bool reply, patch;
	} c[] = {
		{"[PATCH] mm: a",			  "mm: a",		   "",      1,  0, 0,	false, true },
		{"Re: Fwd: [RFC PATCH v12 03/10] b", "b",		  "",      12, 3, 10, true,  true },
		{"[PATCH 6.6.y V2 0/4] c",	   "c",			"6.6.y", 2,  0, 4,  false, true },
		{"[mm] [PATCHv4] d [e]",		 "d [e]",		  "",      4,	 0, 0,  false, true },
		{"talk of [PATCH v3]",	       "talk of [PATCH v3]", "",	 1,  0, 0,  false, false},
		{"[PATCH v 9/3",			 "[PATCH v 9/3",	 "",	     1,	0, 0,  false, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct zl_mail_subject s;

		zl_mail_subject_read(c[i].text, strlen(c[i].text), &s);
		assert_string_equal(c[i].stem, s.text + s.stem);
		assert_string_equal(c[i].tree, s.tree);
		assert_int_equal(c[i].version, s.version);
		assert_int_equal(c[i].part, s.part);
		assert_int_equal(c[i].parts, s.parts);
		assert_int_equal(c[i].reply, s.reply);
		assert_int_equal(c[i].patch, s.patch);
	}
}

/* A text of @n times @unit, after @head. */
static char *repeat(const char *head, const char *unit, size_t n, size_t *ret_size)
{
	size_t h = strlen(head), u = strlen(unit);
	char *text = malloc(h + n * u + 1);

	assert_non_null(text);
	memcpy(text, head, h);
	for (size_t i = 0; i < n; i++) {
		memcpy(text + h + i * u, unit, u);
	}
	*ret_size = h + n * u;
	text[*ret_size] = '\0';
	return text;
}

static void every_limit_has_its_sentence(void **state)
{
	static const struct {
		const char *head, *unit;
		size_t n;
		const char *says;
	} c[] = {
		{"",					      "x",				     ZL_MAIL_LINE_MAX + 1,	"a line of"  },
		{"",					      "0123456789abcde\n",			  ZL_MAIL_BYTES_MAX / 16 + 1, "of mail"    },
		{"Subject: a\n",				  " b\n",					 ZL_MAIL_HEADER_MAX / 3 + 1, "mail header"},
		{"",					      "\nFrom a Mon Jan 1 10:20:30 2024\nx\n", ZL_MAIL_MESSAGES_MAX + 1,	"messages"	  },
		{"Content-Type: multipart/mixed; boundary=b\n\n", "--b\n\nx\n",
			ZL_MAIL_PARTS_MAX + 1,												"parts"      },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct zl_error err = {0};
		struct zl_mail m;
		size_t size;
		char *text = repeat(c[i].head, c[i].unit, c[i].n, &size);
		int rc = zl_mail_read(text, size, zl_allocator_heap(), &m, &err);

		assert_int_equal(-E2BIG, rc);
		assert_non_null(strstr(err.text, c[i].says));
		zl_mail_done(&m);
		free(text);
	}
}

static void parts_within_parts_have_a_limit(void **state)
{
	char text[4096] = "";
	struct zl_error err = {0};
	struct zl_mail m;

	(void)state;
	for (unsigned i = 0; i < ZL_MAIL_DEPTH_MAX + 2; i++) {
		char part[] = "Content-Type: multipart/mixed; boundary=bX\n\n--bX\n";

		part[41] = part[47] = (char)('A' + i);
		strcat(text, part);
	}
	strcat(text, "\nx\n");
	assert_int_equal(-E2BIG, zl_mail_read(text, strlen(text), zl_allocator_heap(), &m, &err));
	assert_non_null(strstr(err.text, "parts within parts"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quoted_printable_is_undone_and_lines_keep_their_numbers),
		cmocka_unit_test(base64_and_other_character_sets_become_utf8),
		cmocka_unit_test(an_unknown_character_set_is_said),
		cmocka_unit_test(flowed_lines_are_joined_and_signatures_are_not),
		cmocka_unit_test(parts_that_are_no_text_are_left_out),
		cmocka_unit_test(an_mbox_is_split_and_escaped_from_is_undone),
		cmocka_unit_test(a_thread_copied_from_an_archive_is_split_at_its_titles),
		cmocka_unit_test(headers_and_body_on_one_line_still_give_a_subject),
		cmocka_unit_test(what_web_archives_do_to_characters_is_undone),
		cmocka_unit_test(tags_of_subjects_are_understood),
		cmocka_unit_test(every_limit_has_its_sentence),
		cmocka_unit_test(parts_within_parts_have_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
