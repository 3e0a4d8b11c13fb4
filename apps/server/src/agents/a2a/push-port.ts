// Push notifications as tasks see them: who keeps the configurations that clients register, and who is told that a task
// has changed. Both are one part, because a change is sent to what was registered for its task.

import type { ListTaskPushNotificationConfigsResponse, StreamResponse, TaskPushNotificationConfig } from "@a2a-js/sdk"
import type { PrincipalId } from "@holdpoint/sdk"

/** A task as notifications need it. Who may use it was checked before. */
export interface PushedTask {
  /** The id of the task, which is that of its run. */
  readonly id: string
  readonly tenant: string
  readonly person: PrincipalId
  /** When the run is removed. Configurations need not be kept for longer. */
  readonly expiresAt: number
}

export interface PushPage {
  /** 0: the implementer's choice. */
  readonly size: number
  /** Empty for the first page. */
  readonly token: string
}

/**
 * The implementer keeps the configurations, delivers, and retries. It must not put credentials or tokens into errors
 * and logs. A refusal is an error of `@a2a-js/sdk/errors`.
 */
export interface A2aPush {
  /** Throws when the configuration would be refused, before anything is begun for which it is meant. */
  check(config: TaskPushNotificationConfig): void
  /**
   * Registers a configuration, or replaces the one with the same id. Returns it as it is kept, with an id. `version` is
   * the protocol version of the request, in which notifications are written.
   */
  create(task: PushedTask, config: TaskPushNotificationConfig, version: string): Promise<TaskPushNotificationConfig>
  get(task: PushedTask, id: string): Promise<TaskPushNotificationConfig | undefined>
  list(task: PushedTask, page: PushPage): Promise<ListTaskPushNotificationConfigsResponse>
  /** Removing a configuration that is not there is a success. */
  remove(task: PushedTask, id: string): Promise<void>
  /**
   * Told in every process that hears of the change, and so several times: `change.id` is the same each time. Returns at
   * once. What a process misses is found by reading the task again (`PushSource`).
   */
  taskChanged(change: TaskChange): void
  close(): Promise<void>
}

export interface TaskChange {
  readonly task: PushedTask
  /** Grows with each change of the task. */
  readonly number: number
}

/** Reads tasks for notifications. */
export interface PushSource {
  /** The status of the task now, as the body of a notification. Undefined when the run is gone. */
  statusOf(task: string): Promise<TaskNow | undefined>
}

export interface TaskNow extends TaskChange {
  readonly response: StreamResponse
  /** Whether the task is at its end: nothing follows. */
  readonly isOver: boolean
}
