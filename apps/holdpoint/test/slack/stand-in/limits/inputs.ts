// Slack's limits of input blocks.

import { button, input, type Limit, long, modalInput, plain, sized, textInput } from "./limit.ts"

export const ofInputs: readonly Limit[] = [
  modalInput(
    "2,000 characters of an input's label",
    "/label/text",
    sized(2000, (count) => input(textInput(), { label: plain(long(count)) })),
  ),
  modalInput(
    "2,000 characters of an input's hint",
    "/hint/text",
    sized(2000, (count) => input(textInput(), { hint: plain(long(count)) })),
  ),
  modalInput("inputs without buttons", "/element/type", { fits: input(textInput()), exceeds: input(button()) }),
  modalInput(
    "3,000 as the least length of a text",
    "/element/min_length",
    sized(3000, (count) => input(textInput({ min_length: count }))),
  ),
  modalInput(
    "3,000 as the most length of a text",
    "/element/max_length",
    sized(3000, (count) => input(textInput({ max_length: count }))),
  ),
  modalInput("a least length below the most", "/element", {
    fits: input(textInput({ min_length: 5, max_length: 5 })),
    exceeds: input(textInput({ min_length: 6, max_length: 5 })),
  }),
  modalInput(
    "a first text within the most length",
    "/element/initial_value",
    sized(5, (count) => input(textInput({ max_length: 5, initial_value: long(count) }))),
  ),
  modalInput("numbers as texts", "/element/min_value", {
    fits: input({ type: "number_input", is_decimal_allowed: true, min_value: "1.5" }),
    exceeds: input({ type: "number_input", is_decimal_allowed: true, min_value: 1.5 }),
  }),
  modalInput("whole numbers where no decimals are allowed", "/element/max_value", {
    fits: input({ type: "number_input", is_decimal_allowed: false, max_value: "2" }),
    exceeds: input({ type: "number_input", is_decimal_allowed: false, max_value: "2.5" }),
  }),
  modalInput("a least number below the most", "/element", {
    fits: input({ type: "number_input", is_decimal_allowed: false, min_value: "2", max_value: "2" }),
    exceeds: input({ type: "number_input", is_decimal_allowed: false, min_value: "3", max_value: "2" }),
  }),
  modalInput("numbers that say whether decimals are allowed", "/element", {
    fits: input({ type: "number_input", is_decimal_allowed: true }),
    exceeds: input({ type: "number_input" }),
  }),
  modalInput(
    "10 files",
    "/element/max_files",
    sized(10, (count) => input({ type: "file_input", max_files: count })),
  ),
  modalInput(
    "100 lines of a rich text input",
    "/element/max_lines",
    sized(100, (count) => input({ type: "rich_text_input", max_lines: count })),
  ),
]
