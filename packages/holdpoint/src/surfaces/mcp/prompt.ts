// A question as one client is shown it: in its revision's vocabulary, as a link in a form, or as the address of a page.

import { paths } from "../../core/addresses.ts"
import { degrade } from "../../core/degrade.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import type { Problem } from "../../core/error.ts"
import type { Form } from "../../core/form.ts"
import type { Channel } from "./channel.ts"
import type { Client } from "./client.ts"
import type { McpRequest } from "./request.ts"
import type { Settings } from "./surface.ts"
import type { Prompt } from "./wire.ts"
import { acknowledgeForm } from "./wire.ts"
import type { Link } from "./words.ts"
import { acknowledgeWords, againWords } from "./words.ts"

export interface Shown {
  readonly prompt: Prompt
  readonly link?: Link
}

export interface ToShow {
  readonly elicitation: Elicitation
  readonly channel: Channel
  /** What was wrong with the last answer. */
  readonly problems?: readonly Problem[] | undefined
}

export function toPrompt({ surface, client }: McpRequest, { elicitation, channel, problems }: ToShow): Shown {
  const again = (words: string): string => (problems === undefined ? words : againWords(words, problems))
  const { settings } = surface
  const page = linkOf(elicitation, settings)
  const link = page === undefined ? {} : { link: page }
  if (channel.shape === "form" && elicitation.mode === "form") {
    const shown = { form: fitted(elicitation.requestedSchema, client) }
    return { prompt: { message: again(elicitation.message), shown }, ...link }
  }
  const message = again(pageWords(elicitation, settings))
  const address = page?.url ?? ""
  if (channel.shape === "acknowledge")
    return { prompt: { message: acknowledgeWords(message, address), shown: { form: acknowledgeForm } }, ...link }
  return { prompt: { message, shown: { url: address } }, ...link }
}

/** Where a person can answer it, and what is said with that. Undefined when there is no such place. */
export function linkOf(elicitation: Elicitation, settings: Settings): Link | undefined {
  const url = addressOf(elicitation, settings)
  return url === undefined ? undefined : { elicitation: elicitation.id, message: pageWords(elicitation, settings), url }
}

/** What is said with the address of a page. In local mode its code as well, which the person compares there. */
export function pageWords({ id, message }: Elicitation, { addresses }: Settings): string {
  const code = addresses?.codeOf(id)
  return code === undefined ? message : `${message} The page shows the code ${code}.`
}

/** Where a person can answer it: its own page, or of a form the page in the inbox. */
function addressOf(elicitation: Elicitation, { addresses }: Settings): string | undefined {
  if (elicitation.mode === "url") return elicitation.url
  return addresses?.to(paths.question, elicitation.id)
}

export function fits(form: Form, { revision }: Client): boolean {
  return revision !== undefined && degrade(form, { revision }).ok
}

function fitted(form: Form, { revision = "2026-07-28" }: Client): Form {
  const degraded = degrade(form, { revision })
  return degraded.ok ? degraded.form : form
}
