// Builds the prompt of a question for one client: in the vocabulary of its revision, as a link in a form, or as the
// address of a page.

import type { Elicitation, Form, Problem } from "@holdpoint/hub"
import { paths } from "@holdpoint/hub"
import { degrade } from "@holdpoint/hub/forms"
import type { Channel } from "./channel.ts"
import type { Client } from "./client.ts"
import type { McpRequest } from "./request.ts"
import type { Settings } from "./surface.ts"
import type { Prompt } from "./wire.ts"
import { acknowledgeForm } from "./wire.ts"
import type { Link } from "./words.ts"
import { acknowledgeWords, againWords } from "./words.ts"

export interface ShownPrompt {
  readonly prompt: Prompt
  readonly link?: Link
}

export interface PromptInput {
  readonly elicitation: Elicitation
  readonly channel: Channel
  /** The problems with the last answer. */
  readonly problems?: readonly Problem[] | undefined
}

export function toPrompt(
  { surface, client }: McpRequest,
  { elicitation, channel, problems }: PromptInput,
): ShownPrompt {
  const withProblems = (words: string): string => (problems === undefined ? words : againWords(words, problems))
  const { settings } = surface
  const page = linkOf(elicitation, settings)
  const link = page === undefined ? {} : { link: page }
  if (channel.shape === "form" && elicitation.mode === "form") {
    const content = { form: fittedForm(elicitation.requestedSchema, client) }
    return { prompt: { message: withProblems(elicitation.message), shown: content }, ...link }
  }
  const message = withProblems(pageWords(elicitation, settings))
  const address = page?.url ?? ""
  if (channel.shape === "acknowledge")
    return { prompt: { message: acknowledgeWords(message, address), shown: { form: acknowledgeForm } }, ...link }
  return { prompt: { message, shown: { url: address } }, ...link }
}

/** The address where a person can answer the question, and the text for it. Undefined when there is no such page. */
export function linkOf(elicitation: Elicitation, settings: Settings): Link | undefined {
  const url = addressOf(elicitation, settings)
  return url === undefined ? undefined : { elicitation: elicitation.id, message: pageWords(elicitation, settings), url }
}

/** The text for the address of a page. In local mode it includes the code that the person compares on the page. */
export function pageWords({ id, message }: Elicitation, { addresses }: Settings): string {
  const code = addresses?.codeOf(id)
  return code === undefined ? message : `${message} The page shows the code ${code}.`
}

/** The address where a person can answer: the link itself, or the page of a form in the inbox. */
function addressOf(elicitation: Elicitation, { addresses }: Settings): string | undefined {
  if (elicitation.mode === "url") return elicitation.url
  return addresses?.to(paths.question, elicitation.id)
}

export function fitsClient(form: Form, { revision }: Client): boolean {
  return revision !== undefined && degrade(form, { revision }).ok
}

function fittedForm(form: Form, { revision = "2026-07-28" }: Client): Form {
  const degraded = degrade(form, { revision })
  return degraded.ok ? degraded.form : form
}
