// What chapter 1 makes of the JSON parsing suite's files where RFC 8259 alone does not say, and why.

/** The code of the error, or `accept`. */
export interface Verdict {
  answer: string;
  rule: string;
}

const TWICE = "two members with the same name";
/** Files the suite says must be accepted and chapter 1 refuses. */
export const REFUSED: Readonly<Record<string, Verdict>> = {
  "y_object_duplicated_key.json": { answer: "json_duplicate", rule: TWICE },
  "y_object_duplicated_key_and_value.json": { answer: "json_duplicate", rule: TWICE },
};

/** Files of the second folder (values that parsers change) that chapter 1 refuses. */
export const REFUSED_TRANSFORMS: Readonly<Record<string, Verdict>> = {
  "number_-9223372036854775808.json": { answer: "json_number", rule: "an integer that its double prints as another" },
  "number_-9223372036854775809.json": { answer: "json_number", rule: "an integer that its double prints as another" },
  "number_10000000000000000999.json": { answer: "json_number", rule: "an integer that its double prints as another" },
  "number_1e-999.json": { answer: "json_number", rule: "not zero, and its double is" },
  "number_9223372036854775807.json": { answer: "json_number", rule: "an integer that its double prints as another" },
  "number_9223372036854775808.json": { answer: "json_number", rule: "an integer that its double prints as another" },
  "object_same_key_different_values.json": { answer: "json_duplicate", rule: TWICE },
  "object_same_key_same_value.json": { answer: "json_duplicate", rule: TWICE },
  "object_same_key_unclear_values.json": { answer: "json_duplicate", rule: TWICE },
  "string_1_escaped_invalid_codepoint.json": { answer: "json_surrogate", rule: "an escaped lone surrogate" },
  "string_1_invalid_codepoint.json": { answer: "json_encoding", rule: "a surrogate code point in UTF-8" },
  "string_2_escaped_invalid_codepoints.json": { answer: "json_surrogate", rule: "an escaped lone surrogate" },
  "string_2_invalid_codepoints.json": { answer: "json_encoding", rule: "a surrogate code point in UTF-8" },
  "string_3_escaped_invalid_codepoints.json": { answer: "json_surrogate", rule: "an escaped lone surrogate" },
  "string_3_invalid_codepoints.json": { answer: "json_encoding", rule: "a surrogate code point in UTF-8" },
};

const OVERFLOWS: Verdict = { answer: "json_number", rule: "a number that overflows is inexact" };
const VANISHES: Verdict = { answer: "json_number", rule: "a number that is not zero and whose double is, is inexact" };
const ANOTHER: Verdict = { answer: "json_number", rule: "an integer that its double prints as another is inexact" };
const LONE: Verdict = { answer: "json_surrogate", rule: "an escaped lone surrogate" };
const NOT_UTF8: Verdict = { answer: "json_encoding", rule: "invalid UTF-8" };

/** Files the suite leaves open. */
export const OPEN: Readonly<Record<string, Verdict>> = {
  "i_number_double_huge_neg_exp.json": VANISHES,
  "i_number_huge_exp.json": OVERFLOWS,
  "i_number_neg_int_huge_exp.json": OVERFLOWS,
  "i_number_pos_double_huge_exp.json": OVERFLOWS,
  "i_number_real_neg_overflow.json": OVERFLOWS,
  "i_number_real_pos_overflow.json": OVERFLOWS,
  "i_number_real_underflow.json": VANISHES,
  "i_number_too_big_neg_int.json": ANOTHER,
  "i_number_too_big_pos_int.json": { answer: "accept", rule: "100000000000000000000 is what its double prints as" },
  "i_number_very_big_negative_int.json": ANOTHER,
  "i_object_key_lone_2nd_surrogate.json": LONE,
  "i_string_1st_surrogate_but_2nd_missing.json": LONE,
  "i_string_1st_valid_surrogate_2nd_invalid.json": LONE,
  "i_string_UTF-16LE_with_BOM.json": NOT_UTF8,
  "i_string_UTF-8_invalid_sequence.json": NOT_UTF8,
  "i_string_UTF8_surrogate_U+D800.json": { answer: "json_encoding", rule: "a surrogate code point in UTF-8" },
  "i_string_incomplete_surrogate_and_escape_valid.json": LONE,
  "i_string_incomplete_surrogate_pair.json": LONE,
  "i_string_incomplete_surrogates_escape_valid.json": LONE,
  "i_string_invalid_lonely_surrogate.json": LONE,
  "i_string_invalid_surrogate.json": LONE,
  "i_string_invalid_utf-8.json": NOT_UTF8,
  "i_string_inverted_surrogates_U+1D11E.json": LONE,
  "i_string_iso_latin_1.json": NOT_UTF8,
  "i_string_lone_second_surrogate.json": LONE,
  "i_string_lone_utf8_continuation_byte.json": NOT_UTF8,
  "i_string_not_in_unicode_range.json": { answer: "json_encoding", rule: "above U+10FFFF" },
  "i_string_overlong_sequence_2_bytes.json": { answer: "json_encoding", rule: "an overlong sequence" },
  "i_string_overlong_sequence_6_bytes.json": { answer: "json_encoding", rule: "an overlong sequence" },
  "i_string_overlong_sequence_6_bytes_null.json": { answer: "json_encoding", rule: "an overlong sequence" },
  "i_string_truncated-utf-8.json": NOT_UTF8,
  "i_string_utf16BE_no_BOM.json": NOT_UTF8,
  "i_string_utf16LE_no_BOM.json": NOT_UTF8,
  "i_structure_500_nested_arrays.json": { answer: "json_depth", rule: "nested deeper than 128" },
  "i_structure_UTF-8_BOM_empty_object.json": { answer: "json_encoding", rule: "a byte-order mark" },
};

/** The pairs of extra-pairs.json that are errors, by what the file says of them. */
export const REFUSED_PAIRS: Readonly<Record<string, string>> = {
  "number out of range": "json_number",
  "reversed surrogate pair": "json_surrogate",
  "lone surrogate": "json_surrogate",
  "invalid UTF-8": "json_encoding",
  "overlong NUL": "json_encoding",
  "surrogate in UTF-8": "json_encoding",
  "duplicate key": "json_duplicate",
  "duplicate key after unescaping": "json_duplicate",
  "byte order mark": "json_encoding",
  "above U+10FFFF": "json_encoding",
  "1e400 out of range": "json_number",
};
