// How to answer a question from another terminal, as a command line to copy.

import type { Audience, Elicitation, Form, Principal, PrincipalId } from "@holdpoint/hub"
import { canAnswer, createAddresses, paths } from "@holdpoint/hub"
import { actsOf } from "@holdpoint/hub/forms"
import type { Settings } from "./config.ts"
import { isEmbedded } from "./idp/issuer.ts"
import { toShownDatabase } from "./redact.ts"

type CommandSettings = Pick<Settings, "me" | "sameDatabase" | "pages">

/**
 * `npx holdpoint answer ID env=… --database …`, with the flags that make the caller the right person. People who sign in
 * answer in the inbox: no flag makes the caller one of them.
 */
export function howToAnswer(question: Elicitation, settings: CommandSettings): string {
  const person = addresseeOf(question.audience)
  if (person !== undefined && person.issuer !== settings.me.issuer && !canAnswer(question, settings.me))
    return `in the inbox${inboxOf(person, settings)}, signed in as ${person.subject}`
  const words = question.mode === "url" ? ["--accept"] : toWords(question.requestedSchema)
  return [
    toCommand(["answer", question.id, ...words], settings),
    ...addresseeFlags(question, settings.me).map(quote),
  ].join(" ")
}

/** A `npx holdpoint` command line with the flags that select the same database. */
export function toCommand(words: readonly string[], { sameDatabase }: Pick<CommandSettings, "sameDatabase">): string {
  return ["npx holdpoint", ...words, ...sameDatabase.map(toShownDatabase).map(quote)].join(" ")
}

function toWords(form: Form): readonly string[] {
  const names = Object.keys(form.properties)
  const isYesOrNo = names.length === 0 || names.join() === "confirmed"
  return isYesOrNo && actsOf(form) !== undefined ? ["--accept"] : names.map((name) => `${quote(name)}=…`)
}

function addresseeFlags(question: Elicitation, me: Principal): readonly string[] {
  const { audience } = question
  if (audience.kind === "role") return ["--role", audience.role]
  if (canAnswer(question, me)) return []
  const first = addresseeOf(audience)
  return first === undefined ? [] : ["--as", first.subject]
}

/** The person that the instructions are for; undefined for a role. Of several, one who answers at the command line. */
function addresseeOf(audience: Audience): PrincipalId | undefined {
  if (audience.kind === "role") return undefined
  if (audience.kind === "one") return audience.principal
  return audience.principals.find(({ issuer }) => issuer === "local") ?? audience.principals[0]
}

/** Says where the inbox is. The embedded identity provider runs on the same server, so its issuer has that address. */
function inboxOf({ issuer }: PrincipalId, { pages }: CommandSettings): string {
  const address = isEmbedded(issuer) ? new URL(issuer).origin : pages.publicUrl
  return address === undefined ? " of `holdpoint serve`" : ` at ${createAddresses(address).to(paths.inbox)}`
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
