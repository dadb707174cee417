"""Every paragraph of `docs/security.md` is held by tests: who changes one finds the others here."""
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HELD = {    # the first words of a paragraph: the tests that fail where it is untrue
    '`grad` and the others': 'test_nothing_is_run_before_a_call',
    '`transpile MODULE.py`': 'test_the_module_is_run_under_check_alone test_the_module_is_run_to_compile_ahead '
                             'test_nothing_beside_the_module_is_imported '
                             'test_what_python_brings_along_may_be_imported',
    '`--args` is data': 'test_what_is_no_data_is_refused test_data_is_read',
    'Text from outside': 'test_file_names_are_not_code test_names_of_attributes_and_keys_are_texts '
                         'test_a_function_may_have_any_name test_lines_of_the_user_stay_comments '
                         'test_arguments_may_have_several_lines',
    'A generated function': 'test_names_that_mean_something_are_refused test_names_that_others_use_are_refused '
                            'test_constants_called_like_builtins_get_other_names test_names_of_builtins_are_names',
    'Of your module': 'test_what_runs_texts_is_not_copied',
    'The displays in': 'test_both_texts_are_complete_and_escaped test_nothing_is_loaded_and_nothing_is_run',
    'Generated modules and': 'test_default_follows_the_platform test_where_numba_keeps_other_functions_does_not_matter '
                             'test_all_machine_code_is_sealed_that_of_kernels_and_callbacks_too',
    'Folders that we': 'test_modes_do_not_depend_on_the_umask test_directory_and_files_are_private',
    'Every file is': 'test_processes_race_for_one_name test_processes_share_a_folder',
    'What cannot be': 'test_nothing_can_be_written test_what_stands_in_the_way_of_a_module test_a_folder_that_has_gone '
                      'test_a_home_that_does_not_exist_is_not_made test_a_place_that_cannot_be_used_gives_way_to_a_temporary_one',
    '`transpile -o OUT.py`': 'test_the_module_is_run_under_check_alone test_permissions_and_links_are_kept '
                             'test_files_of_others_are_not_overwritten',
    'A cache folder': 'test_folders_of_others_are_passed_over test_folders_that_belong_to_others_are_passed_over '
                      'test_sticky_folders_keep_what_lies_in_them',
    'A generated module': 'test_a_damaged_file_is_replaced test_other_code_in_the_cache_is_not_run',
    'Machine code, that': 'test_what_others_wrote_is_not_unpickled test_machine_code_is_taken_for_nothing_else '
                          'test_all_machine_code_is_sealed_that_of_kernels_and_callbacks_too',
    'What is missing,': 'test_what_is_damaged_is_made_anew test_a_flipped_bit_harms_nothing',
    'The checksum tells': '',   # what is not promised
}


def paragraphs() -> list[str]:
    return re.findall(r'^- (.*)$', (ROOT / 'docs' / 'security.md').read_text(), re.MULTILINE)


def test_all_paragraphs_are_listed():
    assert [next((start for start in HELD if text.startswith(start)), text) for text in paragraphs()] == list(HELD)


@pytest.mark.parametrize('start', [start for start in HELD if HELD[start]])
def test_paragraphs_are_held(start):
    folders = [ROOT / 'tests' / name for name in ('api', 'backends', 'cli', 'inspection')]
    texts = [path.read_text() for folder in folders for path in folder.glob('test_*.py')]
    for name in HELD[start].split():
        assert any(f'def {name}(' in text for text in texts), name
