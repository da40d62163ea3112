/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memfd_create() */
#define _GNU_SOURCE
#include "fuzz.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NO_MEMORY_TURN 4 /* one input of so many runs again with too little memory */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const int large = 64 << 20;

	(void)argc;
	(void)argv;
	(void)mallopt(M_MMAP_THRESHOLD, large);
	(void)mallopt(M_TRIM_THRESHOLD, large);
	return 0;
}

bool fuzz_turn(const uint8_t *data, size_t size, unsigned of)
{
#ifdef FUZZ_EVERY_TURN
	(void)data;
	(void)size;
	return of > 0;
#else
	uint64_t hash = size;

	for (size_t i = 0; i < size; i++) {
		hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
	}
	return (hash >> 32) % of == 0;
#endif
}

const char *fuzz_path(const uint8_t *data, size_t size)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size) {
		return NULL;
	}
	return path;
}

char *fuzz_string(const uint8_t *data, size_t size)
{
	char *s = malloc(size + 1);

	if (s == NULL) {
		return NULL;
	}
	if (size > 0) {
		memcpy(s, data, size);
	}
	s[size] = '\0';
	/* Shrunk to the string, so that a read past its end is seen. */
	char *exact = realloc(s, strlen(s) + 1);
	return exact != NULL ? exact : s;
}

static void *heap_realloc(void *user, void *ptr, size_t size)
{
	struct fuzz_heap *heap = user;

	heap->calls++;
	if (heap->calls == heap->fail_at) {
		return NULL;
	}
	void *p = realloc(ptr, size);
	if (ptr == NULL && p != NULL) {
		heap->live++;
	}
	return p;
}

static void heap_free(void *user, void *ptr)
{
	struct fuzz_heap *heap = user;

	if (ptr != NULL) {
		heap->live--;
		free(ptr);
	}
}

void fuzz_heap_init(struct fuzz_heap *heap, size_t fail_at)
{
	*heap = (struct fuzz_heap){
		.allocator = {.realloc = heap_realloc, .free = heap_free, .user = heap},
		.fail_at = fail_at,
	};
}

void fuzz_heap_check(const struct fuzz_heap *heap)
{
	if (heap->live != 0) {
		abort();
	}
}

size_t fuzz_heap_choose(const struct fuzz_heap *heap, const uint8_t *data, size_t size)
{
	size_t hash = size;

	for (size_t i = 0; i < size; i++) {
		hash = hash * 31 + data[i];
	}
	return heap->calls > 0 ? hash % heap->calls + 1 : 0;
}

void fuzz_check_clean(const char *text, const char *allowed)
{
	for (; *text != '\0'; text++) {
		if (((unsigned char)*text < ' ' || *text == 0x7f) &&
			strchr(allowed, *text) == NULL) {
			abort();
		}
	}
}

int fuzz_texts(const uint8_t *data, size_t size,
	int (*run)(const char *text, size_t size, struct fuzz_heap *heap))
{
	char *text = calloc(size + 1, 1);
	struct fuzz_heap heap;

	if (text == NULL) {
		return 0;
	}
	if (size > 0) {
		memcpy(text, data, size);
	}
	fuzz_heap_init(&heap, 0);
	int rc = run(text, size, &heap);
	if (fuzz_turn(data, size, NO_MEMORY_TURN)) {
		fuzz_heap_init(&heap, fuzz_heap_choose(&heap, data, size));
		(void)run(text, size, &heap);
	}
	free(text);
	return rc;
}

void fuzz_twice(const uint8_t *data, size_t size,
	void (*run)(const uint8_t *data, size_t size, struct fuzz_heap *heap, bool whole))
{
	struct fuzz_heap heap;

	fuzz_heap_init(&heap, 0);
	run(data, size, &heap, true);
	fuzz_heap_check(&heap);
	if (fuzz_turn(data, size, NO_MEMORY_TURN)) {
		fuzz_heap_init(&heap, fuzz_heap_choose(&heap, data, size));
		run(data, size, &heap, false);
		fuzz_heap_check(&heap);
	}
}

void fuzz_check_file(const struct zl_import_file *f)
{
	if (f->lines != f->used + f->counted + f->not_understood) {
		abort();
	}
	for (size_t i = 0; i < f->nr_complaints; i++) {
		fuzz_check_clean(f->complaint[i].text, "");
		fuzz_check_clean(f->complaint[i].shown, "");
	}
}

void fuzz_check_import(const struct zl_import *im)
{
	for (size_t i = 0; i < im->nr_files; i++) {
		fuzz_check_file(&im->file[i]);
	}
	for (size_t i = 0; i < im->diags.count; i++) {
		fuzz_check_clean(im->diags.item[i].text, "");
	}
	for (size_t i = 0; i < im->profile.nr_zones; i++) {
		fuzz_check_clean(im->profile.zones[i].name, "");
	}
}
