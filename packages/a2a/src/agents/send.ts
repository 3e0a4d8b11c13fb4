// Handles a message that begins a task: begins a run in the conversation of its context. A repeated message finds the
// existing run, also in another process and after a crash.

import type { Message } from "@a2a-js/sdk"
import { A2AError, RequestMalformedError, UnsupportedOperationError } from "@a2a-js/sdk/errors"
import type { ReadMessage, Run, RunInput } from "@holdpoint/agents/internal"
import { hasEnded, recordRun } from "@holdpoint/agents/internal"
import { toRunMessage } from "./message.ts"
import { type A2aParts, type A2aVisit, digest, type KnownTask, ownerOf } from "./parts.ts"
import type { A2aTask } from "./records.ts"

export interface TaskBeginning {
  readonly message: Message
  /** Whether the client shows questions, so that other outlets need not deliver them immediately. */
  readonly isShown: boolean
}

interface NewTask extends TaskBeginning {
  readonly context: string
  readonly read: ReadMessage
}

export async function beginTask(parts: A2aParts, visit: A2aVisit, beginning: TaskBeginning): Promise<KnownTask> {
  const { person } = visit
  const newTask: NewTask = {
    ...beginning,
    context: contextOf(visit, beginning.message),
    read: await toRunMessage(beginning.message),
  }
  const earlierRun = await findRun(parts, visit, newTask)
  if (earlierRun !== undefined) return start(parts, visit, { newTask, run: earlierRun })
  const release = parts.runs.reserve(person)
  if (release === undefined) throw new A2AError(tooMany)
  try {
    const { context: name, read } = newTask
    const input = inputOf(parts, visit, newTask)
    // In the commit of the run, so that the first change of the run finds the task.
    const beside = (run: Run) => parts.tasks.insert(toTask(visit, newTask, run))
    const record = await recordRun(parts, { person, name, agent: visit.agent, ...read }, { input, beside })
    if ("run" in record) return { task: toTask(visit, newTask, record.run), run: record.run }
    // A concurrent request with the same message may have begun the run.
    const concurrentRun = await findRun(parts, visit, newTask)
    if (concurrentRun === undefined) throw new UnsupportedOperationError(underWayText(record.underWay))
    return await start(parts, visit, { newTask, run: concurrentRun })
  } finally {
    release()
  }
}

const tooMany = "You have too many tasks in progress. Wait for one to end, or cancel one."

const underWayText = (run: Run | undefined): string => {
  const taskText = run === undefined ? "" : ` (task ${run.id})`
  const adviceText =
    run?.status === "waiting" ? "waits for an answer: answer it with its task id" : "is in progress: wait"
  return `The last task in this context${taskText} ${adviceText}, or cancel it, or leave out contextId for a new one.`
}

/**
 * The context of a message. Without one, it is derived from the message id, so that a repeated message is recognised.
 */
function contextOf({ person, agent }: A2aVisit, { contextId, messageId }: Message): string {
  if (contextId === "") return `a2a-${digest([person.tenant, person.issuer, person.subject, agent, messageId])}`
  if (/^[\x21-\x7e]{1,200}$/.test(contextId)) return contextId
  throw new RequestMalformedError("A contextId must have 1 to 200 visible ASCII characters, without spaces.")
}

/** Finds the run that an earlier request began for this message. */
async function findRun(
  { conversations }: A2aParts,
  { person, agent }: A2aVisit,
  { context, message, read }: NewTask,
): Promise<Run | undefined> {
  const conversation = await conversations.find(person, context)
  const runs = conversation === undefined ? [] : await conversations.runs(conversation)
  const run = runs.findLast((one) => one.agent === agent && conversations.message(one).id === message.messageId)
  if (run === undefined) return undefined
  if (JSON.stringify(conversations.message(run).parts) !== JSON.stringify(read.message.parts))
    throw new RequestMalformedError("This messageId was used for another message. Use a new one for each message.")
  return run
}

interface RunOfTask {
  readonly newTask: NewTask
  readonly run: Run
}

/** Stores the task of a run, and starts the run if the process that began it died before it could start it. */
async function start(parts: A2aParts, visit: A2aVisit, { newTask, run }: RunOfTask): Promise<KnownTask> {
  const task = toTask(visit, newTask, run)
  if (hasEnded(run) || (await parts.runs.isKnown(run.id))) {
    await parts.tasks.insert(task)
    return { task, run }
  }
  const startRun = async (): Promise<void> => {
    try {
      await parts.runs.start(run, inputOf(parts, visit, newTask))
    } catch (error) {
      // A concurrent request with the same message may have started the run.
      if (!(await parts.runs.isKnown(run.id))) throw error
    }
  }
  await Promise.all([parts.tasks.insert(task), startRun()])
  return { task, run }
}

const inputOf = ({ questionMs }: A2aParts, { person }: A2aVisit, { isShown }: NewTask): RunInput => ({
  person,
  isPerson: true,
  canAsk: true,
  isInChat: isShown,
  questionMs,
})

function toTask({ person, agent }: A2aVisit, { context, message }: NewTask, run: Run): A2aTask {
  const { tenant, issuer, subject } = person
  return {
    ...{ id: run.id, tenant, version: 1, owner: ownerOf(person, agent), person: { tenant, issuer, subject } },
    ...{ agent, context, message: message.messageId, createdAt: run.createdAt, expiresAt: run.expiresAt },
  }
}
