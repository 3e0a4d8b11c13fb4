// How to answer a question from another terminal, as a command line to copy.

import type { Elicitation, Principal } from "@holdpoint/sdk"
import { canAnswer } from "@holdpoint/sdk"
import type { Settings } from "./config.ts"
import { toShownDatabase } from "./redact.ts"

type Here = Pick<Settings, "me" | "sameDatabase">

/** `npx holdpoint answer ID env=… --database …`, with the flags that make the caller the right person. */
export function howToAnswer(question: Elicitation, here: Here): string {
  const words = question.mode === "url" ? ["--accept"] : toWords(Object.keys(question.requestedSchema.properties))
  return [toCommand(["answer", question.id, ...words], here), ...asAddressee(question, here.me).map(quoted)].join(" ")
}

/** A command on the same database. */
export function toCommand(words: readonly string[], { sameDatabase }: Pick<Here, "sameDatabase">): string {
  return ["npx holdpoint", ...words, ...sameDatabase.map(toShownDatabase).map(quoted)].join(" ")
}

const toWords = (names: readonly string[]): readonly string[] =>
  names.length === 0 ? ["--accept"] : names.map((name) => `${quoted(name)}=…`)

function asAddressee(question: Elicitation, me: Principal): readonly string[] {
  const { audience } = question
  if (audience.kind === "role") return ["--role", audience.role]
  if (canAnswer(question, me)) return []
  const first = audience.kind === "one" ? audience.principal : audience.principals[0]
  return first === undefined ? [] : ["--as", first.subject]
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
