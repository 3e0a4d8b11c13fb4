// Slack's limits of single blocks.

import {
  actions,
  block,
  button,
  image,
  type Limit,
  long,
  mrkdwn,
  plain,
  section,
  sized,
  textInput,
  times,
} from "./limit.ts"

export const ofBlocks: readonly Limit[] = [
  block(
    "255 characters of a block_id",
    "/block_id",
    sized(255, (count) => ({ type: "divider", block_id: long(count) })),
  ),
  block("known types of blocks", "/type", { fits: { type: "divider" }, exceeds: { type: "line" } }),
  block("known members of blocks", "", { fits: { type: "divider" }, exceeds: { type: "divider", colour: "red" } }),
  block(
    "3,000 characters in a section",
    "/text/text",
    sized(3000, (count) => section(long(count))),
  ),
  block("at least 1 character in a section", "/text/text", { fits: section("x"), exceeds: section("") }),
  block("a section with text or fields", "", { fits: section("x"), exceeds: { type: "section" } }),
  block(
    "10 fields of a section",
    "/fields",
    sized(10, (count) => ({ type: "section", fields: times(count, () => plain("f")) })),
  ),
  block(
    "2,000 characters in a field",
    "/fields/0/text",
    sized(2000, (count) => ({ type: "section", fields: [mrkdwn(long(count))] })),
  ),
  block(
    "150 characters in a header",
    "/text/text",
    sized(150, (count) => ({ type: "header", text: plain(long(count)) })),
  ),
  block("a header in plain text", "/text/type", {
    fits: { type: "header", text: plain("h") },
    exceeds: { type: "header", text: mrkdwn("h") },
  }),
  block(
    "10 elements of a context",
    "/elements",
    sized(10, (count) => ({ type: "context", elements: times(count, () => plain("c")) })),
  ),
  block(
    "3,000 characters in a context",
    "/elements/0/text",
    sized(3000, (count) => ({ type: "context", elements: [mrkdwn(long(count))] })),
  ),
  block(
    "12,000 characters of a markdown block",
    "/text",
    sized(12_000, (count) => ({ type: "markdown", text: long(count) })),
  ),
  block(
    "25 elements of actions",
    "/elements",
    sized(25, (count) => actions(...times(count, (index) => button({ action_id: `${index}` })))),
  ),
  block("at least 1 element of actions", "/elements", { fits: actions(button()), exceeds: actions() }),
  block("actions without text inputs", "/elements/0/type", { fits: actions(button()), exceeds: actions(textInput()) }),
  block("one action_id for each element of a block", "", {
    fits: actions(button({ action_id: "a" }), button({ action_id: "b" })),
    exceeds: actions(button({ action_id: "a" }), button({ action_id: "a" })),
  }),
  block(
    "5 elements of context actions",
    "/elements",
    sized(5, (count) => ({
      type: "context_actions",
      elements: times(count, (index) => ({
        type: "icon_button",
        icon: "trash",
        text: plain("t"),
        action_id: `${index}`,
      })),
    })),
  ),
  block(
    "2,000 characters of an image's alt text",
    "/alt_text",
    sized(2000, (count) => image({ alt_text: long(count) })),
  ),
  block(
    "2,000 characters of an image's title",
    "/title/text",
    sized(2000, (count) => image({ title: plain(long(count)) })),
  ),
  block(
    "3,000 characters of an image's address",
    "/image_url",
    sized(3000, (count) => image({ image_url: `https://example.com/${long(count - 20)}` })),
  ),
  block(
    "100 rows of a table",
    "/rows",
    sized(100, (count) => ({ type: "table", rows: times(count, () => [{ type: "raw_text", text: "c" }]) })),
  ),
  block(
    "20 cells of a table's row",
    "/rows/0",
    sized(20, (count) => ({ type: "table", rows: [times(count, () => ({ type: "raw_text", text: "c" }))] })),
  ),
  block(
    "150 characters of a card's title",
    "/title/text",
    sized(150, (count) => ({ type: "card", title: mrkdwn(long(count)) })),
  ),
  block(
    "200 characters of a card's body",
    "/body/text",
    sized(200, (count) => ({ type: "card", body: mrkdwn(long(count)) })),
  ),
  block(
    "10 cards of a carousel",
    "/elements",
    sized(10, (count) => ({ type: "carousel", elements: times(count, () => ({ type: "card", title: mrkdwn("c") })) })),
  ),
  block(
    "less than 200 characters of a video's title",
    "/title/text",
    sized(199, (count) => ({
      type: "video",
      video_url: "https://example.com/v",
      thumbnail_url: "https://example.com/t",
      alt_text: "v",
      title: plain(long(count)),
    })),
  ),
  block(
    "less than 50 characters of a video's author",
    "/author_name",
    sized(49, (count) => ({
      type: "video",
      video_url: "https://example.com/v",
      thumbnail_url: "https://example.com/t",
      alt_text: "v",
      title: plain("t"),
      author_name: long(count),
    })),
  ),
]
