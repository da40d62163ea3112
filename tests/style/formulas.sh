# SPDX-License-Identifier: GPL-3.0-or-later
# docs/formulas.md is what tools/formulas prints.
. "$(dirname -- "$0")/lib.sh"

check()
{
	sh "${tool:-$root/tools/formulas}" "$root" >"$scratch/formulas.md"
	if ! cmp -s "$scratch/formulas.md" "$root/docs/formulas.md"; then
		echo "docs/formulas.md is out of step: tools/formulas >docs/formulas.md"
		diff "$root/docs/formulas.md" "$scratch/formulas.md" | sed -n '1,6p'
	fi
}

self_test()
{
	tool=$real_root/tools/formulas
	plant include/zonelab/a.h <<'T'
/** A word. Source: mm/a.c, word(), v6.18. */
#define WORD 3
/**
 * Sum of | two.
 *
 * @x  first
 *
 * Source: mm/b.c,
 * sum(), v6.1.
 * Simplified: no carry.
 */
int zl_sum(int x, int y);

/** No source. */
int zl_none(void);
/**
 * A box.
 * Source: mm/c.h.
 */
struct zl_box {
	int x; /* Source: mm/d.c, x. */
};
T
	plant src/model/b.h </dev/null
	sh "$tool" "$root" | plant docs/formulas.md
	must_be_clean
	for line in '| `WORD` | mm/a.c, word(), v6.18. |  |' \
		'| `zl_sum()` | mm/b.c, sum(), v6.1. | no carry. |' \
		'| `struct zl_box` | mm/c.h. |  |'; do
		grep -q -F -e "$line" "$root/docs/formulas.md" || die "self-test: no line $line"
	done
	! grep -q zl_none "$root/docs/formulas.md" || die "self-test: zl_none has no source"
	sed 's/v6.1\./v6.2./' "$root/include/zonelab/a.h" | plant include/zonelab/a.h
	must_see 'out of step'
}

style_main "$@"
