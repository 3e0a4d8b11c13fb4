// Limits of the small objects that blocks and elements are made of: texts, options, confirmation dialogs.
// https://docs.slack.dev/reference/block-kit/composition-objects

import { type Check, type Fields, flag, list, note, oneOf, shape, text, typed, url } from "./check.ts"

const ofType = (name: string): Check => oneOf(name)

export const plainText = (max: number): Check =>
  shape({ type: ofType("plain_text"), text: text(max, 1) }, { emoji: flag })

const mrkdwn = (max: number): Check => shape({ type: ofType("mrkdwn"), text: text(max, 1) }, { verbatim: flag })

/** Plain text or Slack's own markup. */
export const anyText = (max: number): Check => typed({ plain_text: plainText(max), mrkdwn: mrkdwn(max) })

export const onlyMrkdwn = (max: number): Check => typed({ mrkdwn: mrkdwn(max) })

/** The types of the SDK say 75 characters for `value`; the reference and Slack itself say 150. */
export const option = (words: Check): Check =>
  shape({ text: words, value: text(150, 1) }, { description: anyText(75), url: url(3000) })

export const plainOption: Check = option(plainText(75))
export const anyOption: Check = option(anyText(75))

export const optionGroup: Check = shape({ label: plainText(75), options: list(plainOption, 100) })

export const confirm: Check = shape(
  { text: anyText(300) },
  { title: plainText(100), confirm: plainText(30), deny: plainText(30), style: oneOf("primary", "danger") },
)

export const dispatchConfig: Check = shape(
  {},
  { trigger_actions_on: list(oneOf("on_enter_pressed", "on_character_entered"), 2) },
)

/** Options of one element must have different values, and the initial option must be one of them. */
export function optionsFit(fields: Fields, at: string, faults: string[]): void {
  const groups = Array.isArray(fields.option_groups) ? (fields.option_groups as Fields[]) : []
  const options = [fields.options, ...groups.map((group) => group?.options)].flatMap((some) =>
    Array.isArray(some) ? (some as Fields[]) : [],
  )
  const values = options.map((one) => one?.value)
  if (new Set(values).size !== values.length) note(faults, "option values must be unique", `${at}/options`)
  const chosen = [fields.initial_option, ...(Array.isArray(fields.initial_options) ? fields.initial_options : [])]
  for (const one of chosen as readonly (Fields | undefined)[]) {
    if (one !== undefined && !options.some((other) => JSON.stringify(other) === JSON.stringify(one))) {
      note(faults, "initial option must match one of the options", at)
    }
  }
}
