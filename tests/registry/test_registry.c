// SPDX-License-Identifier: MIT
// Everything that there is can be listed from C, with the public header alone.

#include <math.h>
#include <string.h>
#include <trammel/registry.h>

#include "support/test.h"

static void test_every_kind_has_a_name_and_a_summary_and_is_found_by_it(void **state) {
    for (int family = 0; family < TR_FAMILIES; family++) {
        assert_int_not_equal(tr_family_name((trFamily)family)[0], '\0');
        assert_true(tr_registry_count((trFamily)family) > 1);
        for (int i = 0; i < tr_registry_count((trFamily)family); i++) {
            trKindInfo info = tr_registry_at((trFamily)family, i);
            int        found = -1;
            assert_non_null(info.name);
            assert_int_not_equal(info.summary[0], '\0');
            assert_true(info.facts < TR_FACTS_MOST);
            assert_int_equal(tr_registry_find((trFamily)family, info.name, info.dim, &found),
                             TR_OK);
            assert_int_equal(found, i);
            for (int k = 0; k < info.fields; k++) {
                trFieldInfo f = tr_registry_field((trFamily)family, i, k);
                assert_non_null(f.name);
                assert_non_null(f.type);
                assert_non_null(f.unit);
                assert_int_not_equal(f.summary[0], '\0');
            }
        }
    }
}

static const trFact *find_fact(const trKindInfo *info, const char *key) {
    for (int i = 0; i < info->facts; i++) {
        if (strcmp(info->fact[i].key, key) == 0) {
            return &info->fact[i];
        }
    }
    fail_msg("%s: no fact '%s'", info->name, key);
    return NULL;
}

static void test_a_joint_lists_its_rows_and_parameters(void **state) {
    int planar = -1, spatial = -1;
    assert_int_equal(tr_registry_find(TR_JOINTS, "prismatic", 2, &planar), TR_OK);
    assert_int_equal(tr_registry_find(TR_JOINTS, "prismatic", 3, &spatial), TR_OK);
    assert_int_not_equal(planar, spatial);
    trKindInfo    info = tr_registry_at(TR_JOINTS, planar);
    const trFact *unit = find_fact(&info, "row_units");
    assert_string_equal(unit[0].text, "m");
    assert_string_equal(unit[1].key, "row_units");
    assert_string_equal(unit[1].text, "rad");
    assert_string_equal(tr_registry_field(TR_JOINTS, planar, 0).name, "point");
    assert_string_equal(tr_registry_field(TR_JOINTS, planar, 0).unit, "m");
    assert_true(isnan(tr_registry_field(TR_JOINTS, planar, 0).fallback));
}

static void test_a_method_lists_its_parts_and_options(void **state) {
    int index = -1;
    assert_int_equal(tr_registry_find(TR_METHODS, "baumgarte", 0, &index), TR_OK);
    trKindInfo info = tr_registry_at(TR_METHODS, index);
    assert_string_equal(info.title, "soft");
    assert_string_equal(find_fact(&info, "stabilization")->text, "baumgarte");
    assert_int_equal(info.fields, 2);
    assert_string_equal(tr_registry_field(TR_METHODS, index, 0).name, "alpha");
    assert_float_equal(tr_registry_field(TR_METHODS, index, 0).fallback, 5.0, 0.0);
}

static void test_an_unknown_name_is_refused_with_a_suggestion(void **state) {
    int index = 7;
    assert_int_equal(tr_registry_find(TR_INTEGRATORS, "dop835", 0, &index), TR_E_ARGUMENT);
    assert_non_null(strstr(tr_last_error(), "did you mean 'dop853'?"));
    assert_int_equal(index, 7);
    assert_int_equal(tr_registry_find(TR_JOINTS, "universal", 2, &index), TR_E_ARGUMENT);
}

static void test_numbers_out_of_range_give_nothing(void **state) {
    assert_null(tr_registry_at(TR_JOINTS, -1).name);
    assert_null(tr_registry_at(TR_JOINTS, tr_registry_count(TR_JOINTS)).name);
    assert_null(tr_registry_field(TR_JOINTS, 0, 1000).name);
    assert_int_equal(tr_registry_count(TR_FAMILIES), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_has_a_name_and_a_summary_and_is_found_by_it),
        cmocka_unit_test(test_a_joint_lists_its_rows_and_parameters),
        cmocka_unit_test(test_a_method_lists_its_parts_and_options),
        cmocka_unit_test(test_an_unknown_name_is_refused_with_a_suggestion),
        cmocka_unit_test(test_numbers_out_of_range_give_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
