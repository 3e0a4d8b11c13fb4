// Limits of the elements in actions blocks, beside sections and in input blocks.
// https://docs.slack.dev/reference/block-kit/block-elements

import {
  anything,
  type Check,
  type Fields,
  flag,
  formed,
  integer,
  list,
  note,
  oneOf,
  shape,
  text,
  url,
} from "./check.ts"
import { anyOption, confirm, dispatchConfig, optionGroup, optionsFit, plainOption, plainText } from "./objects.ts"

type Members = Readonly<Record<string, Check>>
type Fit = (fields: Fields, at: string, faults: string[]) => void

const id: Members = { action_id: text(255, 1) }
const placeholder: Members = { placeholder: plainText(150) }
const focus: Members = { focus_on_load: flag }
const asks: Members = { confirm }
const dispatch: Members = { dispatch_action_config: dispatchConfig }
const date = formed(/^\d{4}-\d\d-\d\d$/, "must be a date as YYYY-MM-DD")
const time = formed(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time as HH:mm")
const number = formed(/^-?\d+(\.\d+)?$/, "must be a number as a string")
const most: Members = { max_selected_items: integer(1, 100) }
const textRange: Members = { min_length: integer(0, 3000), max_length: integer(1, 3000) }

function element(type: string, required: Members, optional: Members, and: Fit = () => {}): Check {
  return shape({ type: oneOf(type), ...required }, { ...id, ...optional }, and)
}

const button = element(
  "button",
  { text: plainText(75) },
  {
    ...asks,
    value: text(2000),
    url: url(3000),
    style: oneOf("primary", "danger"),
    accessibility_label: text(75),
  },
)

const fromOptions: Members = { options: list(plainOption, 100), option_groups: list(optionGroup, 100) }

const oneSource: Fit = (fields, at, faults) => {
  if ((fields.options === undefined) === (fields.option_groups === undefined)) {
    note(faults, "must have either options or option_groups", at)
  }
  optionsFit(fields, at, faults)
}

function select(kind: string, initial: string, initials: string, more: Members = {}, and: Fit = () => {}): Members {
  const shared = { ...asks, ...focus, ...placeholder, ...more }
  return {
    [`${kind}_select`]: element(`${kind}_select`, {}, { ...shared, [initial]: anything }, and),
    [`multi_${kind}_select`]: element(`multi_${kind}_select`, {}, { ...shared, ...most, [initials]: anything }, and),
  }
}

export const selects: Members = {
  ...select("static", "initial_option", "initial_options", fromOptions, oneSource),
  ...select("external", "initial_option", "initial_options", { min_query_length: integer(0, 255) }),
  ...select("users", "initial_user", "initial_users"),
  ...select("channels", "initial_channel", "initial_channels", { response_url_enabled: flag }),
  ...select("conversations", "initial_conversation", "initial_conversations", {
    response_url_enabled: flag,
    default_to_current_conversation: flag,
    filter: anything,
  }),
}

const choices: Members = {
  checkboxes: element(
    "checkboxes",
    { options: list(anyOption, 10) },
    { ...asks, ...focus, initial_options: list(anyOption, 10) },
    optionsFit,
  ),
  radio_buttons: element(
    "radio_buttons",
    { options: list(anyOption, 10) },
    { ...asks, ...focus, initial_option: anyOption },
    optionsFit,
  ),
}

const pickers: Members = {
  datepicker: element("datepicker", {}, { ...asks, ...focus, ...placeholder, initial_date: date }),
  datetimepicker: element(
    "datetimepicker",
    {},
    { ...asks, ...focus, initial_date_time: integer(1_000_000_000, 9_999_999_999) },
  ),
  timepicker: element(
    "timepicker",
    {},
    { ...asks, ...focus, ...placeholder, initial_time: time, timezone: text(255, 1) },
  ),
}

const typing: Members = { ...focus, ...placeholder, ...dispatch }

const ordered =
  (low: string, high: string): Fit =>
  (fields, at, faults) => {
    if (fields[low] !== undefined && fields[high] !== undefined && Number(fields[low]) > Number(fields[high])) {
      note(faults, `${low} must not be greater than ${high}`, at)
    }
  }

const initialInRange: Fit = (fields, at, faults) => {
  ordered("min_length", "max_length")(fields, at, faults)
  const max = typeof fields.max_length === "number" ? fields.max_length : 3000
  if (typeof fields.initial_value === "string" && fields.initial_value.length > max) {
    note(faults, `must be less than ${max + 1} characters`, `${at}/initial_value`)
  }
}

const numberFits: Fit = (fields, at, faults) => {
  ordered("min_value", "max_value")(fields, at, faults)
  if (fields.is_decimal_allowed !== false) return
  for (const name of ["initial_value", "min_value", "max_value"]) {
    if (typeof fields[name] === "string" && fields[name].includes(".")) {
      note(faults, "decimal is not allowed", `${at}/${name}`)
    }
  }
}

const typed: Members = {
  plain_text_input: element(
    "plain_text_input",
    {},
    { ...typing, ...textRange, initial_value: text(3000), multiline: flag },
    initialInRange,
  ),
  email_text_input: element("email_text_input", {}, { ...typing, initial_value: text(3000) }),
  url_text_input: element("url_text_input", {}, { ...typing, initial_value: text(3000) }),
  number_input: element(
    "number_input",
    { is_decimal_allowed: flag },
    { ...typing, initial_value: number, min_value: number, max_value: number },
    numberFits,
  ),
  rich_text_input: element(
    "rich_text_input",
    {},
    { ...typing, initial_value: anything, min_lines: integer(1, 100), max_lines: integer(1, 100) },
  ),
}

const overflow = element("overflow", { options: list(plainOption, 5) }, { ...asks }, optionsFit)

const fileInput = element("file_input", {}, { filetypes: list(text(255, 1), 100), max_files: integer(1, 10) })

export const image: Check = shape(
  { type: oneOf("image"), alt_text: text(2000, 1) },
  { image_url: url(3000), slack_file: anything },
  (fields, at, faults) => {
    if ((fields.image_url === undefined) === (fields.slack_file === undefined)) {
      note(faults, "must have either image_url or slack_file", at)
    }
  },
)

const feedbackButton = shape({ text: plainText(75), value: text(2000) }, { accessibility_label: text(75) })

/** The elements that a context_actions block may contain. */
export const contextElements: Members = {
  feedback_buttons: element(
    "feedback_buttons",
    { positive_button: feedbackButton, negative_button: feedbackButton },
    {},
  ),
  icon_button: element(
    "icon_button",
    { icon: oneOf("trash"), text: plainText(75) },
    { ...asks, value: text(2000), accessibility_label: text(75), visible_to_user_ids: anything },
  ),
}

export { button }

/** The elements that an actions block may contain. */
export const actionElements: Members = {
  button,
  overflow,
  ...choices,
  ...pickers,
  ...selects,
  rich_text_input: typed.rich_text_input as Check,
}

/** The elements that may accompany a section. */
export const accessories: Members = { button, image, overflow, ...choices, ...pickers, ...selects }

/** The elements that an input block may contain. */
export const inputElements: Members = { ...choices, ...pickers, ...selects, ...typed, file_input: fileInput }
