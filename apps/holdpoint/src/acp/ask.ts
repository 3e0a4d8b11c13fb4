// Asks one question in an editor, until the hub accepts the person's answer or the question ends elsewhere. A question
// that the editor cannot show becomes a link in the chat.

import type { Elicitation, Hub, Principal, Problem } from "@holdpoint/hub"
import { paths } from "@holdpoint/hub"
import type { StreamEvent } from "@holdpoint/hub/stream"
import type { Made } from "@holdpoint/server"
import { type Editor, sendUpdates, toText } from "./editor.ts"
import {
  approvalActs,
  callIn,
  type EditorAnswer,
  fromElicitation,
  fromPermission,
  type QuestionDisplay,
  toElicitation,
  toPermission,
} from "./map.ts"
import type { Updates } from "./updates.ts"
import { againWords, linkWords, pageWords } from "./words.ts"

export interface AskParts {
  readonly hub: Pick<Hub, "get" | "answer">
  readonly addresses: Made["addresses"]
  /** The person at this machine, for whom the editor answers. */
  readonly person: Principal
  readonly report: (activity: string, error: unknown) => void
}

/** One question of a reply, and how the editor shows it. */
export interface PromptedQuestion {
  readonly question: Elicitation
  readonly display: QuestionDisplay
  readonly event: StreamEvent
  readonly updates: Updates
  /** Aborted when the question has ended. */
  readonly signal: AbortSignal
}

/** After this many invalid answers, the chat links to the page of the question. */
const maxAttempts = 3

export async function askInEditor(parts: AskParts, editor: Editor, prompted: PromptedQuestion): Promise<void> {
  const { question, display, signal } = prompted
  let problems: readonly Problem[] | undefined
  for (let attempt = 0; display !== "link" && attempt < maxAttempts; attempt++) {
    const answer = await answerOf(parts, editor, { ...prompted, problems })
    // The question has ended, here or elsewhere: a late reply of the editor is ignored.
    if (answer === "ended" || signal.aborted) return
    if (answer === undefined) break
    const result = await parts.hub.answer(question.id, { by: parts.person, via: "acp", ...answer })
    if (result.ok || result.refusal.code !== "invalid_answer") return
    problems = result.refusal.problems ?? []
  }
  await sendUpdates(editor, [toText(linkWords({ message: question.message, ...pageOf(parts, question) }))])
}

interface Attempt extends PromptedQuestion {
  /** The problems of the last answer. Undefined in the first attempt. */
  readonly problems: readonly Problem[] | undefined
}

/** The person's answer. Undefined when the editor failed to show the question. */
async function answerOf(
  parts: AskParts,
  editor: Editor,
  attempt: Attempt,
): Promise<EditorAnswer | "ended" | undefined> {
  try {
    return await (attempt.display === "permission"
      ? askPermission(editor, attempt)
      : askElicitation(parts, editor, attempt))
  } catch (error) {
    if (attempt.signal.aborted) return "ended"
    parts.report("showing a question in the editor", error)
    return undefined
  }
}

const requestOptions = ({ signal }: Attempt) => ({ cancellationSignal: signal, stopWaitingOnCancel: true })

async function askElicitation(parts: AskParts, { client, session }: Editor, attempt: Attempt) {
  const { question, event, updates, problems } = attempt
  const call = callIn(event)
  const page = pageOf(parts, question)
  const text = problems === undefined ? question.message : againWords(question.message, problems)
  const message = question.mode === "url" ? pageWords(text, page.code) : text
  const toolCall = call === undefined ? {} : { toolCall: updates.idOf(call) }
  const request = toElicitation({ question, session, message, ...toolCall }, page.url)
  return fromElicitation(await client.request("elicitation/create", request, requestOptions(attempt)), question)
}

async function askPermission(editor: Editor, attempt: Attempt): Promise<EditorAnswer | undefined> {
  const { question, event, updates } = attempt
  const { client, session } = editor
  const acts = approvalActs(question)
  if (acts === undefined) return undefined
  const call = callIn(event)
  const tool = (call === undefined ? undefined : updates.call(call)) ?? { title: event.context.toolName ?? "Tool" }
  const toolCall = call === undefined ? question.id : updates.idOf(call)
  if (call === undefined)
    await sendUpdates(editor, [
      { sessionUpdate: "tool_call", toolCallId: toolCall, title: tool.title, status: "pending" },
    ])
  const request = toPermission({ question, session, message: question.message, toolCall }, acts, tool)
  return fromPermission(await client.request("session/request_permission", request, requestOptions(attempt)), acts)
}

/**
 * Updates the tool call in the chat after its approval. The chat has no entry for the calls of sub-agents: there, the
 * question itself is the entry, and gets its final status.
 */
export async function sendApprovalResult(
  { hub }: AskParts,
  editor: Editor,
  { question, display, event, updates }: PromptedQuestion,
): Promise<void> {
  if (display !== "permission") return
  const call = callIn(event)
  const { status, said } = (await hub.get(question.id)) ?? question
  if (status === "pending") return
  const isAllowed = status === "completed" && said === "yes"
  if (call === undefined) {
    const end = isAllowed ? "completed" : "failed"
    await sendUpdates(editor, [{ sessionUpdate: "tool_call_update", toolCallId: question.id, status: end }])
  } else if (isAllowed && updates.isOpen(call))
    await sendUpdates(editor, [
      { sessionUpdate: "tool_call_update", toolCallId: updates.idOf(call), status: "in_progress" },
    ])
}

/**
 * The page where the person answers the question, and the code that it shows. The address of a stored question may be
 * that of an earlier process: it is replaced by the address of the same page in this process.
 */
function pageOf({ addresses }: AskParts, question: Elicitation): { url: string; code: string | undefined } {
  const { id } = question
  if (question.mode === "form") return { url: addresses.to(paths.question, id), code: addresses.codeOf(id) }
  const path = URL.parse(question.url)?.pathname
  const page = [paths.connect, paths.visit].find(
    (pagePath) => path !== undefined && addresses.to(pagePath, id).endsWith(path),
  )
  return page === undefined
    ? { url: question.url, code: undefined }
    : { url: addresses.to(page, id), code: addresses.codeOf(id) }
}
