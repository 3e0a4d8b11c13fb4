// A Talk message as text: placeholders in braces are replaced by their parameters.

import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { integer, object, optional, record, text } from "../../schema.ts"
import { fromSeconds } from "../../time.ts"
import { messageLink } from "./api.ts"

export const message = object({
  id: integer(),
  author: text(),
  author_name: text(),
  sent: text(),
  text: text(),
  system: optional(text()),
  reply_to: optional(integer()),
  reactions: optional(record(integer())),
  url: text(),
})

export function toMessage(nextcloud: Nextcloud, token: string, fields: Fields) {
  const system = fields.maybeText("systemMessage")
  const parent = fields.maybeObject("parent")?.maybeNumber("id")
  const reactions = fields.maybeObject("reactions")
  const emojis = Object.keys(reactions?.raw ?? {})
  return {
    id: fields.number("id"),
    author: fields.text("actorId"),
    author_name: fields.maybeText("actorDisplayName") ?? fields.text("actorId"),
    sent: fromSeconds(fields.number("timestamp")),
    text: inWords(fields),
    ...(system === undefined ? {} : { system }),
    ...(parent === undefined ? {} : { reply_to: parent }),
    ...(reactions === undefined || emojis.length === 0
      ? {}
      : { reactions: Object.fromEntries(emojis.map((emoji) => [emoji, reactions.number(emoji)])) }),
    url: messageLink(nextcloud, token, fields.number("id")),
  }
}

/** Turns “Hello {mention-user1}, see {file}” into “Hello @Bob Example, see [plan.md](https://…)”. */
export function inWords(fields: Fields): string {
  const parameters = fields.maybeObject("messageParameters")
  return fields.text("message").replace(/\{([a-zA-Z0-9-]+)\}/g, (braces, name: string) => {
    // The names are untrusted: “{constructor}” must not find an inherited property.
    const parameter = Object.hasOwn(parameters?.raw ?? {}, name) ? parameters?.maybeObject(name) : undefined
    return parameter === undefined ? braces : toWords(name, parameter)
  })
}

function toWords(parameter: string, fields: Fields): string {
  const name = fields.maybeText("name") ?? fields.maybeText("id") ?? parameter
  if (parameter.startsWith("mention-")) return `@${name}`
  const link = fields.maybeText("link")
  if (link !== undefined) return `[${name}](${link})`
  const latitude = fields.maybeText("latitude")
  return latitude === undefined ? name : `${name} (${latitude}, ${fields.maybeText("longitude") ?? "?"})`
}
