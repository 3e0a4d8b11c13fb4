// Derives the state of a task from its run and the open questions. Pure.

import { type Message, Role, type Task, TaskState, type TaskStatus } from "@a2a-js/sdk"
import type { Run } from "@holdpoint/agents/internal"
import type { StreamEvent } from "@holdpoint/hub/stream"
import { elicitationExtension } from "../extension.ts"
import { questionParts } from "../parts.ts"
import { textPart } from "./message.ts"
import type { A2aTask } from "./records.ts"

/** The ids of a task for clients. */
export type TaskIds = Pick<A2aTask, "id" | "context">

/** A run with its open questions. */
export interface RunNow {
  readonly run: Run
  readonly open: readonly StreamEvent[]
}

/** The state of the task. Questions count only while the run waits: a running run may still work on other steps. */
export function stateOf({ run, open }: RunNow): TaskState {
  switch (run.status) {
    case "done":
      return TaskState.TASK_STATE_COMPLETED
    case "failed":
      return TaskState.TASK_STATE_FAILED
    case "stopped":
      return TaskState.TASK_STATE_CANCELED
    case "running":
      return TaskState.TASK_STATE_WORKING
    case "waiting":
      if (open.some(({ mode }) => mode === "form")) return TaskState.TASK_STATE_INPUT_REQUIRED
      // All questions are answered, so the run is about to resume.
      return open.length > 0 ? TaskState.TASK_STATE_AUTH_REQUIRED : TaskState.TASK_STATE_WORKING
  }
}

export const isInterrupted = (state: TaskState): boolean =>
  state === TaskState.TASK_STATE_INPUT_REQUIRED || state === TaskState.TASK_STATE_AUTH_REQUIRED

/** The status of the task. `text` explains a wrong answer or a failure to people. */
export function statusOf(ids: TaskIds, now: RunNow, text?: string): TaskStatus {
  const { run, open } = now
  const state = stateOf(now)
  const questions = isInterrupted(state) ? open : []
  const parts = questionParts(questions, text)
  const message =
    parts.length === 0 ? undefined : agentMessage(ids, `${run.message}.${run.version}`, parts, questions.length > 0)
  return { state, message, timestamp: new Date(run.statusAt).toISOString() }
}

/** Creates a message of the agent in a task. */
export const agentMessage = (
  { id, context }: TaskIds,
  messageId: string,
  parts: Message["parts"],
  isQuestion: boolean,
): Message => ({
  ...{ messageId, taskId: id, contextId: context, role: Role.ROLE_AGENT, parts },
  ...{ metadata: undefined, extensions: isQuestion ? [elicitationExtension] : [], referenceTaskIds: [] },
})

export const replyArtifactId = "reply"

/** The reply as the only artifact of a task. */
export const replyArtifact = (text: string): Task["artifacts"][number] => ({
  ...{ artifactId: replyArtifactId, name: "Reply", description: "", parts: [textPart(text)] },
  ...{ metadata: undefined, extensions: [] },
})
