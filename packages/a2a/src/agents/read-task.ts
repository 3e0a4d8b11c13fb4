// Reads a task from the records of its run: status, reply, questions and answers. A task has no stored copy of these.

import { type Message, Role, type Task } from "@a2a-js/sdk"
import { brokenOffWords, listAll, type NumberedChunk } from "@holdpoint/agents/internal"
import { isSettled } from "@holdpoint/hub"
import type { StreamEvent } from "@holdpoint/hub/stream"
import { toStreamEvent } from "@holdpoint/hub/stream"
import { questionParts } from "../parts.ts"
import { textPart, toA2aParts } from "./message.ts"
import type { A2aParts, KnownTask } from "./parts.ts"
import type { A2aMessage } from "./records.ts"
import { createReplyUpdates } from "./reply-updates.ts"
import { agentMessage, type RunNow, replyArtifact, statusOf } from "./state.ts"

/** A question in the log of a run, with its current state. */
export interface TaskQuestion {
  readonly event: StreamEvent
  readonly isOpen: boolean
}

/** The questions of a run, in the order of the log. */
export async function questionsIn(
  { hub }: Pick<A2aParts, "hub">,
  chunks: readonly NumberedChunk[],
): Promise<readonly TaskQuestion[]> {
  const events = new Map<string, StreamEvent>()
  for (const { chunk } of chunks)
    if (chunk.type === "data-elicitation" && chunk.id !== undefined) events.set(chunk.id, chunk.data as StreamEvent)
  const questions = await Promise.all(
    [...events].map(async ([id, event]) => {
      const now = await hub.get(id)
      // Retention has removed the question, so it has ended. The log still contains its event.
      if (now === undefined) return { event, isOpen: false }
      return { event: toStreamEvent(now, event.context), isOpen: !isSettled(now.status) }
    }),
  )
  return questions
}

export interface ReadTask {
  readonly task: Task
  readonly now: RunNow
  /** The chunks of the log that the task contains. */
  readonly chunks: readonly NumberedChunk[]
}

export interface ReadOptions {
  /** The maximum number of messages. Undefined returns all, 0 none. */
  readonly historyLength?: number | undefined
  /** The text of the status, only for this response. */
  readonly statusText?: string | undefined
  /** Whether the passed run was just read from the store. */
  readonly isRead?: boolean
}

export async function readTask(
  parts: A2aParts,
  { task, run: knownRun }: KnownTask,
  { historyLength, statusText, isRead = false }: ReadOptions = {},
): Promise<ReadTask> {
  // Reads the run before the log, so that the log is complete for this status.
  const run = isRead ? knownRun : ((await parts.conversations.get(task.id)) ?? knownRun)
  const chunks = await parts.readers.logs.read(run, 0)
  const questions = await questionsIn(parts, chunks)
  const reply = createReplyUpdates(task)
  for (const chunk of chunks) reply.add(chunk)
  const text = reply.take()
  const now: RunNow = { run, open: questions.filter(({ isOpen }) => isOpen).map(({ event }) => event) }
  const words = statusText ?? (run.status === "failed" ? (reply.failure ?? brokenOffWords) : undefined)
  return {
    now,
    chunks,
    task: {
      ...{ id: task.id, contextId: task.context, status: statusOf(task, now, words), metadata: undefined },
      artifacts: text === "" ? [] : [replyArtifact(text)],
      history: historyLength === 0 ? [] : lastOf(await historyOf(parts, { task, run }, questions), historyLength),
    },
  }
}

const lastOf = (messages: readonly Message[], most: number | undefined): Message[] =>
  messages.slice(most === undefined ? 0 : -most)

/** The person's message, then each settled question with its answer. The status contains the open questions. */
async function historyOf(
  { conversations, messages }: A2aParts,
  { task, run }: KnownTask,
  questions: readonly TaskQuestion[],
): Promise<readonly Message[]> {
  const message = conversations.message(run)
  const settled = questions.filter(({ isOpen }) => !isOpen).map(({ event }) => event)
  const list = () => listAll((page) => messages.list({ tenant: task.tenant, owner: task.id, ...page }))
  const answers = settled.length === 0 ? [] : await list()
  return [
    userMessage(task, message.id, toA2aParts(message)),
    ...settled.flatMap((event) => toExchange(task, event, answers)),
  ]
}

/** A settled question and its outcome, without the content of the answer, which may have a shorter retention. */
function toExchange(task: KnownTask["task"], event: StreamEvent, answers: readonly A2aMessage[]): readonly Message[] {
  const questionMessage = agentMessage(task, event.elicitationId, questionParts([event]), true)
  const answer = answers.find(({ questions }) => questions.includes(event.elicitationId))
  return answer === undefined
    ? [questionMessage]
    : [questionMessage, userMessage(task, answer.message, [textPart(`Answered: ${event.status}.`)])]
}

const userMessage = (task: KnownTask["task"], messageId: string, parts: Message["parts"]): Message => ({
  ...{ messageId, taskId: task.id, contextId: task.context, role: Role.ROLE_USER, parts },
  ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
})
