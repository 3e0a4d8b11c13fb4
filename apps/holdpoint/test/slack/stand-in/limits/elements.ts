// Slack's limits of elements and what they are made of.

import { actions, block, button, type Limit, long, option, options, plain, select, sized, times } from "./limit.ts"

export const ofElements: readonly Limit[] = [
  block(
    "75 characters on a button",
    "/elements/0/text/text",
    sized(75, (count) => actions(button({ text: plain(long(count)) }))),
  ),
  block(
    "2,000 characters of a button's value",
    "/elements/0/value",
    sized(2000, (count) => actions(button({ value: long(count) }))),
  ),
  block(
    "3,000 characters of a button's address",
    "/elements/0/url",
    sized(3000, (count) => actions(button({ url: `https://example.com/${long(count - 20)}` }))),
  ),
  block("a web address on a button", "/elements/0/url", {
    fits: actions(button({ url: "https://example.com" })),
    exceeds: actions(button({ url: "javascript:alert(1)" })),
  }),
  block(
    "75 characters of a button's label for screen readers",
    "/elements/0/accessibility_label",
    sized(75, (count) => actions(button({ accessibility_label: long(count) }))),
  ),
  block("two styles of a button", "/elements/0/style", {
    fits: actions(button({ style: "primary" })),
    exceeds: actions(button({ style: "default" })),
  }),
  block(
    "255 characters of an action_id",
    "/elements/0/action_id",
    sized(255, (count) => actions(button({ action_id: long(count) }))),
  ),
  block(
    "100 options of a select",
    "/elements/0/options",
    sized(100, (count) => select({ options: options(count) })),
  ),
  block(
    "100 groups of options",
    "/elements/0/option_groups",
    sized(100, (count) =>
      select({ option_groups: times(count, (index) => ({ label: plain("g"), options: [option(index)] })) }),
    ),
  ),
  block(
    "75 characters of a group's label",
    "/elements/0/option_groups/0/label/text",
    sized(75, (count) => select({ option_groups: [{ label: plain(long(count)), options: options(1) }] })),
  ),
  block("options or groups of options", "/elements/0", { fits: select({ options: options(1) }), exceeds: select({}) }),
  block(
    "150 characters of a placeholder",
    "/elements/0/placeholder/text",
    sized(150, (count) => select({ options: options(1), placeholder: plain(long(count)) })),
  ),
  block(
    "75 characters of an option's text",
    "/elements/0/options/0/text/text",
    sized(75, (count) => select({ options: [option(1, { text: plain(long(count)) })] })),
  ),
  block(
    "150 characters of an option's value",
    "/elements/0/options/0/value",
    sized(150, (count) => select({ options: [option(1, { value: long(count) })] })),
  ),
  block(
    "75 characters of an option's description",
    "/elements/0/options/0/description/text",
    sized(75, (count) => select({ options: [option(1, { description: plain(long(count)) })] })),
  ),
  block("options with values of their own", "/elements/0/options", {
    fits: select({ options: options(2) }),
    exceeds: select({ options: [option(1), option(1)] }),
  }),
  block("a first choice that is among the options", "/elements/0", {
    fits: select({ options: options(2), initial_option: option(1) }),
    exceeds: select({ options: options(2), initial_option: option(2) }),
  }),
  block("at least 1 selected item of several", "/elements/0/max_selected_items", {
    fits: actions({ type: "multi_static_select", options: options(2), max_selected_items: 1 }),
    exceeds: actions({ type: "multi_static_select", options: options(2), max_selected_items: 0 }),
  }),
  block(
    "10 checkboxes",
    "/elements/0/options",
    sized(10, (count) => actions({ type: "checkboxes", options: options(count) })),
  ),
  block(
    "10 radio buttons",
    "/elements/0/options",
    sized(10, (count) => actions({ type: "radio_buttons", options: options(count) })),
  ),
  block(
    "5 options of an overflow menu",
    "/elements/0/options",
    sized(5, (count) => actions({ type: "overflow", options: options(count) })),
  ),
  block(
    "3,000 characters of an option's address",
    "/elements/0/options/0/url",
    sized(3000, (count) =>
      actions({ type: "overflow", options: [option(1, { url: `https://example.com/${long(count - 20)}` })] }),
    ),
  ),
  block(
    "100 characters of a confirmation's title",
    "/elements/0/confirm/title/text",
    sized(100, (count) => actions(button({ confirm: { title: plain(long(count)), text: plain("t") } }))),
  ),
  block(
    "300 characters of a confirmation's text",
    "/elements/0/confirm/text/text",
    sized(300, (count) => actions(button({ confirm: { text: plain(long(count)) } }))),
  ),
  block(
    "30 characters on the button that confirms",
    "/elements/0/confirm/confirm/text",
    sized(30, (count) => actions(button({ confirm: { text: plain("t"), confirm: plain(long(count)) } }))),
  ),
  block(
    "30 characters on the button that does not confirm",
    "/elements/0/confirm/deny/text",
    sized(30, (count) => actions(button({ confirm: { text: plain("t"), deny: plain(long(count)) } }))),
  ),
  block("dates as YYYY-MM-DD", "/elements/0/initial_date", {
    fits: actions({ type: "datepicker", initial_date: "2026-11-18" }),
    exceeds: actions({ type: "datepicker", initial_date: "18.11.2026" }),
  }),
  block("times as HH:mm", "/elements/0/initial_time", {
    fits: actions({ type: "timepicker", initial_time: "23:59" }),
    exceeds: actions({ type: "timepicker", initial_time: "24:00" }),
  }),
  block("dates and times of 10 digits", "/elements/0/initial_date_time", {
    fits: actions({ type: "datetimepicker", initial_date_time: 9_999_999_999 }),
    exceeds: actions({ type: "datetimepicker", initial_date_time: 10_000_000_000 }),
  }),
]
