// Slack's limits of views.

import { input, type Limit, long, plain, section, sized, textInput, times, view } from "./limit.ts"

export const ofViews: readonly Limit[] = [
  view(
    "100 blocks in a view",
    "/blocks",
    sized(100, (count) => ({ blocks: times(count, () => ({ type: "divider" })) })),
  ),
  view(
    "24 characters of a title",
    "/title/text",
    sized(24, (count) => ({ title: plain(long(count)) })),
  ),
  view(
    "24 characters on the button that submits",
    "/submit/text",
    sized(24, (count) => ({ submit: plain(long(count)) })),
  ),
  view(
    "24 characters on the button that closes",
    "/close/text",
    sized(24, (count) => ({ close: plain(long(count)) })),
  ),
  view(
    "3,000 characters of private metadata",
    "/private_metadata",
    sized(3000, (count) => ({ private_metadata: long(count) })),
  ),
  view(
    "255 characters of a callback_id",
    "/callback_id",
    sized(255, (count) => ({ callback_id: long(count) })),
  ),
  view(
    "255 characters of an external_id",
    "/external_id",
    sized(255, (count) => ({ external_id: long(count) })),
  ),
  view("a button that submits, where there are inputs", "", {
    fits: { submit: plain("Send"), blocks: [input(textInput())] },
    exceeds: { blocks: [input(textInput())] },
  }),
  view("one block_id for each block of a view", "/blocks/1/block_id", {
    fits: { blocks: [{ ...section("a"), block_id: "a" }] },
    exceeds: {
      blocks: [
        { ...section("a"), block_id: "a" },
        { ...section("b"), block_id: "a" },
      ],
    },
  }),
  view("one element that has the focus", "/blocks", {
    fits: { submit: plain("Send"), blocks: [input(textInput({ focus_on_load: true })), input(textInput())] },
    exceeds: {
      submit: plain("Send"),
      blocks: [input(textInput({ focus_on_load: true })), input(textInput({ focus_on_load: true }))],
    },
  }),
  view("views without markdown blocks", "/blocks/0/type", {
    fits: { blocks: [section("m")] },
    exceeds: { blocks: [{ type: "markdown", text: "m" }] },
  }),
  {
    name: "250 KB of a view",
    surface: "view",
    fits: { blocks: times(82, () => section(long(2900))) },
    exceeds: { blocks: times(88, () => section(long(2900))) },
    error: "view_too_large",
    at: undefined,
  },
]
