// One question in an editor: shown until an answer of the person is taken, or the question is known to have ended. What
// the editor cannot or fails to show is told in the chat, with a link.

import type { Elicitation, Hub, Principal, Problem } from "@holdpoint/sdk"
import { paths } from "@holdpoint/sdk"
import type { Made } from "@holdpoint/sdk/compose"
import type { StreamEvent } from "@holdpoint/sdk/stream"
import { type Editor, tell, toText } from "./editor.ts"
import {
  approvalActs,
  callIn,
  type EditorAnswer,
  fromElicitation,
  fromPermission,
  toElicitation,
  toPermission,
  type Way,
} from "./map.ts"
import type { Updates } from "./updates.ts"
import { againWords, linkWords, pageWords } from "./words.ts"

export interface AskParts {
  readonly hub: Pick<Hub, "get" | "answer">
  readonly addresses: Made["addresses"]
  /** The person at this machine, for whom the editor answers. */
  readonly person: Principal
  readonly report: (doing: string, error: unknown) => void
}

/** A question on its way to the person. */
export interface Prompted {
  readonly question: Elicitation
  readonly way: Way
  readonly event: StreamEvent
  readonly updates: Updates
  /** Aborted when the question has ended. */
  readonly signal: AbortSignal
}

/** After as many answers that do not fit, the person is sent to the page. */
const mostAttempts = 3

export async function askInEditor(parts: AskParts, editor: Editor, prompted: Prompted): Promise<void> {
  const { question, way, signal } = prompted
  let problems: readonly Problem[] | undefined
  for (let attempt = 0; way !== "link" && attempt < mostAttempts; attempt++) {
    const answer = await answerOf(parts, editor, { ...prompted, problems })
    // Ended, here or elsewhere: a reply that comes late changes nothing.
    if (answer === "gone" || signal.aborted) return
    if (answer === undefined) break
    const result = await parts.hub.answer(question.id, { by: parts.person, via: "acp", ...answer })
    if (result.ok || result.refusal.code !== "invalid_answer") return
    problems = result.refusal.problems ?? []
  }
  await tell(editor, [toText(linkWords({ message: question.message, ...pageOf(parts, question) }))])
}

interface Attempt extends Prompted {
  /** What was wrong with the last answer. */
  readonly problems: readonly Problem[] | undefined
}

/** The person's answer. Undefined when the editor failed to ask for it. */
async function answerOf(parts: AskParts, editor: Editor, attempt: Attempt): Promise<EditorAnswer | "gone" | undefined> {
  try {
    return await (attempt.way === "permission" ? permissionOf(editor, attempt) : elicitationOf(parts, editor, attempt))
  } catch (error) {
    if (attempt.signal.aborted) return "gone"
    parts.report("asking in the editor, which failed to show the question", error)
    return undefined
  }
}

const optionsOf = ({ signal }: Attempt) => ({ cancellationSignal: signal, stopWaitingOnCancel: true })

async function elicitationOf(parts: AskParts, { client, session }: Editor, attempt: Attempt) {
  const { question, event, updates, problems } = attempt
  const call = callIn(event)
  const page = pageOf(parts, question)
  const asked = problems === undefined ? question.message : againWords(question.message, problems)
  const message = question.mode === "url" ? pageWords(asked, page.code) : asked
  const toolCall = call === undefined ? {} : { toolCall: updates.idOf(call) }
  const request = toElicitation({ question, session, message, ...toolCall }, page.url)
  return fromElicitation(await client.request("elicitation/create", request, optionsOf(attempt)), question)
}

async function permissionOf(editor: Editor, attempt: Attempt): Promise<EditorAnswer | undefined> {
  const { question, event, updates } = attempt
  const { client, session } = editor
  const acts = approvalActs(question)
  if (acts === undefined) return undefined
  const call = callIn(event)
  const tool = (call === undefined ? undefined : updates.call(call)) ?? { title: event.context.toolName ?? "Tool" }
  const toolCall = call === undefined ? question.id : updates.idOf(call)
  if (call === undefined)
    await tell(editor, [{ sessionUpdate: "tool_call", toolCallId: toolCall, title: tool.title, status: "pending" }])
  const request = toPermission({ question, session, message: question.message, toolCall }, acts, tool)
  return fromPermission(await client.request("session/request_permission", request, optionsOf(attempt)), acts)
}

/**
 * What the chat shows of an approved or refused call, once it is known. The calls of agents that were called are not in
 * the chat: the question has stood for such a call, and is over.
 */
export async function tellApproval(
  { hub }: AskParts,
  editor: Editor,
  { question, way, event, updates }: Prompted,
): Promise<void> {
  if (way !== "permission") return
  const call = callIn(event)
  const { status, said } = (await hub.get(question.id)) ?? question
  if (status === "pending") return
  const isAllowed = status === "completed" && said === "yes"
  if (call === undefined) {
    const end = isAllowed ? "completed" : "failed"
    await tell(editor, [{ sessionUpdate: "tool_call_update", toolCallId: question.id, status: end }])
  } else if (isAllowed && updates.isOpen(call))
    await tell(editor, [{ sessionUpdate: "tool_call_update", toolCallId: updates.idOf(call), status: "in_progress" }])
}

/** Where the question is answered. Links to pages of an earlier process of this command lead to this one. */
function pageOf({ addresses }: AskParts, question: Elicitation): { url: string; code: string | undefined } {
  const { id } = question
  if (question.mode === "form") return { url: addresses.to(paths.question, id), code: addresses.codeOf(id) }
  const path = URL.parse(question.url)?.pathname
  const page = [paths.connect, paths.visit].find((one) => path !== undefined && addresses.to(one, id).endsWith(path))
  return page === undefined
    ? { url: question.url, code: undefined }
    : { url: addresses.to(page, id), code: addresses.codeOf(id) }
}
