// The port for push notifications: stores the configurations that clients register for a task, and sends each change of
// the task to them.

import type { ListTaskPushNotificationConfigsResponse, StreamResponse, TaskPushNotificationConfig } from "@a2a-js/sdk"
import type { PrincipalId } from "@holdpoint/hub"

/** A task about which notifications are sent. Whether the caller may use the task was checked before. */
export interface PushedTask {
  /** The id of the task, which is the id of its run. */
  readonly id: string
  readonly tenant: string
  readonly person: PrincipalId
  /** When the run is removed. Configurations may be removed at the same time. */
  readonly expiresAt: number
}

export interface PushPage {
  /** The page size. 0 lets the implementer choose. */
  readonly size: number
  /** The page token. Empty for the first page. */
  readonly token: string
}

/**
 * The implementer stores the configurations, delivers the notifications and retries. It must not put credentials or
 * tokens into errors and logs. A refusal is an error of `@a2a-js/sdk/errors`.
 */
export interface A2aPush {
  /** Throws when the configuration is invalid. Called before the task of the configuration begins. */
  check(config: TaskPushNotificationConfig): void
  /**
   * Registers a configuration, or replaces the one with the same id. Returns the stored configuration with its id.
   * `version` is the protocol version of the request, and of the notifications.
   */
  create(task: PushedTask, config: TaskPushNotificationConfig, version: string): Promise<TaskPushNotificationConfig>
  get(task: PushedTask, id: string): Promise<TaskPushNotificationConfig | undefined>
  list(task: PushedTask, page: PushPage): Promise<ListTaskPushNotificationConfigsResponse>
  /** Removes a configuration. Succeeds if it does not exist. */
  remove(task: PushedTask, id: string): Promise<void>
  /**
   * Handles a change of a task. Called in every process that is notified, and so several times with the same change.
   * Returns immediately. A missed change is found later by reading the task (`PushSource`).
   */
  taskChanged(change: TaskChange): void
  close(): Promise<void>
}

export interface TaskChange {
  readonly task: PushedTask
  /** The number of the change, which grows with each change of the task. */
  readonly number: number
}

/** Reads tasks for notifications. */
export interface PushSource {
  /** The current status of the task, as the body of a notification. Undefined when the run was removed. */
  statusOf(task: string): Promise<TaskNow | undefined>
}

export interface TaskNow extends TaskChange {
  readonly response: StreamResponse
  /** Whether the task has ended, so that no change follows. */
  readonly isOver: boolean
}
