// The questions of a session's replies in its editor: each is shown once, answered for the person at this machine, and
// withdrawn when it ends elsewhere. A question that the editor cannot show, or fails to show, is told as a link.

import type { AgentContext } from "@agentclientprotocol/sdk"
import type { Elicitation, Hub, Principal, Problem } from "@holdpoint/sdk"
import { isSettled, paths } from "@holdpoint/sdk"
import type { Asking } from "@holdpoint/sdk/asking"
import type { Made } from "@holdpoint/sdk/compose"
import type { StreamEvent } from "@holdpoint/sdk/stream"
import {
  approvalActs,
  callIn,
  type EditorAbilities,
  type EditorAnswer,
  fromElicitation,
  fromPermission,
  type Shown,
  toElicitation,
  toPermission,
  type Way,
  wayOf,
} from "./map.ts"
import type { Updates } from "./updates.ts"
import { againWords, linkWords, pageWords } from "./words.ts"

export interface QuestionsParts {
  readonly hub: Pick<Hub, "get" | "answer">
  readonly addresses: Made["addresses"]
  readonly followers: Asking["followers"]
  /** The person at this machine, for whom the editor answers. */
  readonly person: Principal
  readonly report: (doing: string, error: unknown) => void
}

/** The editor's end of a session. */
export interface Editor {
  readonly client: AgentContext
  readonly session: string
  readonly can: EditorAbilities
  /** Aborted when the editor is gone. */
  readonly gone: AbortSignal
}

export interface Questions {
  /** A reply's stream tells of a question, or of its end. */
  told(event: StreamEvent, updates: Updates): void
  /** Takes every prompt out of the editor: the reply is over, or the editor is gone. */
  withdrawAll(): void
}

/** After as many answers that do not fit, the person is sent to the page. */
const mostAttempts = 3

export function createQuestions(parts: QuestionsParts, editor: Editor): Questions {
  const { hub, followers, report } = parts
  const seen = new Set<string>()
  const prompts = new Map<string, () => void>()

  const show = async (event: StreamEvent, updates: Updates): Promise<void> => {
    const { elicitationId: id } = event
    const withdrawn = new AbortController()
    const tell = ({ status }: { readonly status?: Elicitation["status"] }): void => {
      if (status !== undefined && isSettled(status)) end()
    }
    let isLink = false
    const end = (): void => {
      followers.unfollow(id, tell)
      if (!prompts.delete(id)) return
      // Before the request is cancelled: the editor then knows that the page was finished.
      if (isLink) notify(editor, "elicitation/complete", { elicitationId: id })
      withdrawn.abort()
    }
    prompts.set(id, end)
    // Before it is read: it may end in between.
    followers.follow(id, tell)
    const question = await hub.get(id)
    if (question === undefined || isSettled(question.status) || withdrawn.signal.aborted) return end()
    const way = wayOf(question, editor.can)
    isLink = way === "url"
    await ask(parts, editor, { question, way, event, updates, signal: withdrawn.signal })
    if (way !== "url") end()
  }

  return {
    told(event, updates) {
      const { elicitationId: id, type } = event
      if (type === "elicitation-resolved") return prompts.get(id)?.()
      if (seen.has(id)) return
      seen.add(id)
      show(event, updates).catch((error: unknown) => {
        if (!editor.gone.aborted) report("showing a question in the editor", error)
      })
    },
    withdrawAll() {
      for (const end of [...prompts.values()]) end()
    },
  }
}

interface Prompted {
  readonly question: Elicitation
  readonly way: Way
  readonly event: StreamEvent
  readonly updates: Updates
  /** Aborted when the question has ended. */
  readonly signal: AbortSignal
}

/** Shows the question until its answer is taken, or it is known to have ended. */
async function ask(parts: QuestionsParts, editor: Editor, prompted: Prompted): Promise<void> {
  const { question, signal } = prompted
  let problems: readonly Problem[] | undefined
  for (let attempt = 0; prompted.way !== "link" && attempt < mostAttempts; attempt++) {
    const answer = await answerOf(parts, editor, { ...prompted, problems })
    // Ended, here or elsewhere: a reply that comes late changes nothing.
    if (answer === "gone" || signal.aborted || editor.gone.aborted) return
    if (answer === undefined) break
    const result = await parts.hub.answer(question.id, { by: parts.person, via: "acp", ...answer })
    if (result.ok || result.refusal.code !== "invalid_answer") return
    problems = result.refusal.problems ?? []
  }
  tellLink(parts, editor, question)
}

/** The person's answer. Undefined when the editor failed to ask for it. */
async function answerOf(
  parts: QuestionsParts,
  { client, session }: Editor,
  { question, way, event, updates, signal, problems }: Prompted & { readonly problems: readonly Problem[] | undefined },
): Promise<EditorAnswer | "gone" | undefined> {
  const call = callIn(event)
  const options = { cancellationSignal: signal, stopWaitingOnCancel: true }
  const message = problems === undefined ? question.message : againWords(question.message, problems)
  const shown: Shown = {
    ...{ question, session, message },
    ...(call === undefined ? {} : { toolCall: updates.idOf(call) }),
  }
  try {
    const acts = way === "permission" ? approvalActs(question) : undefined
    if (acts !== undefined) {
      const tool = (call === undefined ? undefined : updates.call(call)) ?? { title: event.context.toolName ?? "Tool" }
      // The calls of agents that were called are not in the chat: the question stands for such a call.
      const card = { ...shown, toolCall: shown.toolCall ?? question.id }
      return fromPermission(
        await client.request("session/request_permission", toPermission(card, acts, tool), options),
        acts,
      )
    }
    const page = pageOf(parts, question)
    const said = question.mode === "url" ? { ...shown, message: pageWords(message, page.code) } : shown
    return fromElicitation(await client.request("elicitation/create", toElicitation(said, page.url), options), question)
  } catch (error) {
    if (signal.aborted) return "gone"
    parts.report("asking in the editor, which failed to show the question", error)
    return undefined
  }
}

/** Where the question is answered. Links to pages of an earlier process of this command lead to this one. */
function pageOf({ addresses }: QuestionsParts, question: Elicitation): { url: string; code: string | undefined } {
  const { id } = question
  if (question.mode === "form") return { url: addresses.to(paths.question, id), code: addresses.codeOf(id) }
  const path = URL.parse(question.url)?.pathname
  const page = [paths.connect, paths.visit].find((one) => addresses.to(one, id).endsWith(path ?? " "))
  return page === undefined
    ? { url: question.url, code: undefined }
    : { url: addresses.to(page, id), code: addresses.codeOf(id) }
}

function tellLink(parts: QuestionsParts, editor: Editor, question: Elicitation): void {
  const text = linkWords({ message: question.message, ...pageOf(parts, question) })
  const update = { sessionUpdate: "agent_message_chunk" as const, content: { type: "text" as const, text } }
  notify(editor, "session/update", { sessionId: editor.session, update })
}

/** To an editor that is gone, nothing is told. */
function notify({ client, gone }: Editor, ...[method, params]: Parameters<AgentContext["notify"]>): void {
  if (!gone.aborted) client.notify(method, params).catch(() => {})
}
