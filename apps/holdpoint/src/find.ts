// Finds a question by its id, or by a unique prefix of at least six characters.

import type { Elicitation, Hub } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import { plain } from "@holdpoint/terminal"
import { wrongUse } from "./wrong-use.ts"

const minPrefixLength = 6
const pageSize = 500

export async function findQuestion(hub: Hub, tenant: string, id: string): Promise<Elicitation> {
  const question = await hub.get(id)
  if (question !== undefined && question.tenant === tenant) return question
  if (id.length < minPrefixLength)
    throw wrongUse(`“${id}” is too short for an id.`, `Write its first ${minPrefixLength} characters.`)
  const matches = await withPrefix(hub, tenant, id.toLowerCase())
  if (matches.length > 1) {
    const ids = matches.map((one) => `  ${one.id}  ${plain(one.message).slice(0, 60)}`)
    throw wrongUse(
      `The ids of ${matches.length} questions begin with “${id}”.`,
      `Write more characters of one of them:\n${ids.join("\n")}`,
    )
  }
  const [match] = matches
  if (match !== undefined) return match
  throw new HoldpointError(
    "not_found",
    `There is no question with the id “${id}”.\n\`holdpoint pending\` lists those that you may answer.`,
  )
}

async function withPrefix(hub: Hub, tenant: string, prefix: string): Promise<readonly Elicitation[]> {
  const matches: Elicitation[] = []
  let last: Elicitation | undefined
  for (;;) {
    const after = last === undefined ? {} : { after: { createdAt: last.createdAt, id: last.id } }
    const page = await hub.list({ tenant, state: "all", limit: pageSize, ...after })
    matches.push(...page.filter(({ id }) => id.startsWith(prefix)))
    last = page.at(-1)
    if (page.length < pageSize) return matches
  }
}
