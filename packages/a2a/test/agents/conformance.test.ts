// The requirements of the official A2A kit for operations and data, checked on the wire over each binding.

import { askingAgents } from "@holdpoint/testkit/a2a/agents/asking-agents"
import { startAgents } from "@holdpoint/testkit/agents/agents-server"
import { describe, expect } from "vitest"
import { begin, bindings, message, type WireTask } from "./both-bindings.ts"
import { conforms } from "./conforms.ts"

describe.each(bindings)("over $name", ({ connect }) => {
  const open = async () => connect(await startAgents(askingAgents()))

  conforms(
    ["CORE-SEND-001", "CORE-MULTI-001", "CORE-MULTI-001a", "CORE-MULTI-003"],
    "each message begins a task of its own, with a generated context id",
    async () => {
      const wire = await open()
      const [one, other] = [await begin(wire, "hello"), await begin(wire, "hello")]
      expect([one.id, one.contextId, other.contextId].every((id) => typeof id === "string" && id !== "")).toBe(true)
      expect(other.id).not.toBe(one.id)
    },
  )

  conforms(
    ["CORE-MULTI-002", "CORE-MULTI-002a"],
    "a client's context id is used, or the message is refused",
    async () => {
      const wire = await open()
      expect((await begin(wire, "hello", { contextId: "mine" })).contextId).toBe("mine")
      const { reason } = await wire.call("SendMessage", message("hello", { contextId: "two words" }))
      expect(reason).toBe("INVALID_PARAMS")
    },
  )

  conforms(
    ["CORE-SEND-002", "CORE-CANCEL-002", "CORE-MULTI-006"],
    "an ended task takes no message and no cancellation, and no task takes a message of another context",
    async () => {
      const wire = await open()
      const { id } = await begin(wire, "hello")
      expect((await wire.call("SendMessage", message("more", { taskId: id }))).reason).toBe("UNSUPPORTED_OPERATION")
      expect((await wire.call("CancelTask", { id })).reason).toBe("TASK_NOT_CANCELABLE")
      const waiting = await begin(wire, "city")
      const elsewhere = message("oslo", { taskId: waiting.id, contextId: "elsewhere" })
      expect((await wire.call("SendMessage", elsewhere)).reason).toBe("INVALID_PARAMS")
    },
  )

  conforms("CORE-SEND-003", "a file of a media type that the card does not list is refused", async () => {
    const wire = await open()
    const raw = { raw: "dGNr", mediaType: "application/x-unsupported-type" }
    const { reason } = await wire.call("SendMessage", message("", { parts: [raw] }))
    expect(reason).toBe("CONTENT_TYPE_NOT_SUPPORTED")
    expect(
      (await wire.call("SendMessage", message("", { parts: [{ ...raw, mediaType: "image/png" }] }))).reason,
    ).toBeUndefined()
  })

  conforms(
    ["CORE-GET-001", "CORE-CANCEL-001", "CORE-MULTI-005"],
    "a task can be read, continued in its context, and cancelled",
    async () => {
      const wire = await open()
      const { id, contextId } = await begin(wire, "city")
      const { result } = await wire.call("GetTask", { id })
      expect(result).toMatchObject({ id, contextId, status: { state: "TASK_STATE_INPUT_REQUIRED" } })
      expect((await begin(wire, "oslo", { taskId: id })).contextId).toBe(contextId)
      const other = await begin(wire, "city")
      const cancelled = await wire.call("CancelTask", { id: other.id })
      expect(cancelled.result).toMatchObject({ id: other.id, status: { state: "TASK_STATE_CANCELED" } })
    },
  )

  conforms(
    ["CORE-GET-002", "CORE-CANCEL-003", "CORE-MULTI-004", "PUSH-GET-002"],
    "unknown tasks and configurations are not found",
    async () => {
      const wire = await open()
      const { id } = await begin(wire, "hello")
      const results = [
        await wire.call("GetTask", { id: "none" }),
        await wire.call("CancelTask", { id: "none" }),
        await wire.call("SendMessage", message("hello", { taskId: "none" })),
        await wire.call("GetTaskPushNotificationConfig", { taskId: id, id: "none" }),
      ]
      expect(results.map(({ reason }) => reason)).toEqual(results.map(() => "TASK_NOT_FOUND"))
    },
  )

  conforms(
    ["CORE-LIST-002", "CORE-LIST-003", "CORE-LIST-004", "CORE-LIST-005"],
    "tasks are listed in pages, last changed first, without artifacts unless requested",
    async () => {
      const wire = await open()
      const ids: string[] = []
      for (const text of ["hello", "city", "again"]) {
        const { id } = await begin(wire, text, { contextId: text === "city" ? "c2" : "c1" })
        ids.unshift(id)
      }
      const first = await wire.call("ListTasks", { pageSize: 2 })
      const second = await wire.call("ListTasks", { pageSize: 2, pageToken: first.result.nextPageToken })
      const listed = [...(first.result.tasks as WireTask[]), ...(second.result.tasks as WireTask[])]
      expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(ids))
      const times = listed.map(({ status }) => status.timestamp)
      expect(times).toEqual(times.toSorted().reverse())
      expect([second.result.nextPageToken, listed.some((task) => "artifacts" in task)]).toEqual(["", false])
      const whole = await wire.call("ListTasks", { contextId: "c1", includeArtifacts: true })
      expect((whole.result.tasks as WireTask[]).every(({ artifacts }) => artifacts?.length === 1)).toBe(true)
    },
  )

  conforms(
    ["CORE-EXECUTION-MODE-001", "CORE-EXECUTION-MODE-002"],
    "sending waits until the task ends or is interrupted, unless it is to return immediately",
    async () => {
      const wire = await open()
      const states = [await begin(wire, "hello"), await begin(wire, "city"), await begin(wire, "pay")]
      expect(states.map(({ status }) => status.state)).toEqual([
        ...["TASK_STATE_COMPLETED", "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"],
      ])
      const request = { ...message("wait"), configuration: { returnImmediately: true } }
      const { result } = await wire.call("SendMessage", request)
      const working = result.task as WireTask
      expect(working.status.state).toBe("TASK_STATE_WORKING")
      await wire.call("CancelTask", { id: working.id })
    },
  )

  conforms(
    ["CORE-ERR-001", "CORE-ERR-002"],
    "an invalid request is refused with a reason, before anything is done",
    async () => {
      const wire = await open()
      for (const params of [
        {},
        { message: {} },
        message("hello", { parts: [] }),
        message("hello", { role: "ROLE_AGENT" }),
      ]) {
        const { body, reason } = await wire.call("SendMessage", params)
        expect([reason, (body.error as { message: string }).message.length > 10]).toEqual(["INVALID_PARAMS", true])
      }
      expect((await wire.call("ListTasks", { pageSize: 0 })).reason).toBe("INVALID_PARAMS")
      expect((await wire.call("ListTasks")).result.tasks).toEqual([])
    },
  )

  conforms("CORE-CAP-003", "an extended card is refused, because the card declares none", async () => {
    expect((await (await open()).call("GetExtendedAgentCard")).reason).toBe("UNSUPPORTED_OPERATION")
  })

  conforms(
    ["CORE-HIST-001", "CORE-HIST-002", "CORE-HIST-003", "CORE-HIST-004", "CORE-HIST-005", "CORE-HIST-006"],
    "the history has the messages in order, limited to the requested length",
    async () => {
      const wire = await open()
      const { id } = await begin(wire, "city")
      await begin(wire, "oslo", { taskId: id })
      const { history = [] } = (await wire.call("GetTask", { id })).result as WireTask
      expect(history[0]).toMatchObject({ role: "ROLE_USER", parts: [{ text: "city" }] })
      const short = (await wire.call("GetTask", { id, historyLength: 1 })).result as WireTask
      expect(short.history?.length ?? 0).toBeLessThanOrEqual(1)
      expect((await wire.call("GetTask", { id, historyLength: 0 })).result).not.toHaveProperty("history")
      const request = { ...message("hello"), configuration: { historyLength: 0 } }
      expect((await wire.call("SendMessage", request)).result.task).not.toHaveProperty("history")
    },
  )

  conforms(
    ["PUSH-CREATE-001", "PUSH-CREATE-002", "PUSH-GET-001", "PUSH-LIST-001", "PUSH-DEL-001", "PUSH-DEL-002"],
    "push notification configurations are created, kept, listed, and deleted idempotently",
    async () => {
      const wire = await open()
      const { id: taskId } = await begin(wire, "city")
      const config = { taskId, id: "c1", url: "https://receiver.example.org/told" }
      expect((await wire.call("CreateTaskPushNotificationConfig", config)).result).toMatchObject(config)
      await begin(wire, "oslo", { taskId })
      expect((await wire.call("GetTaskPushNotificationConfig", { taskId, id: "c1" })).result).toMatchObject(config)
      expect((await wire.call("ListTaskPushNotificationConfigs", { taskId })).result.configs).toHaveLength(1)
      for (const _again of [1, 2]) {
        const deleted = await wire.call("DeleteTaskPushNotificationConfig", { taskId, id: "c1" })
        expect([deleted.response.ok, deleted.reason]).toEqual([true, undefined])
      }
      expect((await wire.call("GetTaskPushNotificationConfig", { taskId, id: "c1" })).reason).toBe("TASK_NOT_FOUND")
    },
  )

  conforms(
    [
      "DM-TASK-001",
      "DM-TASK-002",
      "DM-MSG-001",
      "DM-MSG-002",
      "DM-PART-001",
      "DM-ART-001",
      "DM-STATUS-001",
      "DM-SERIAL-001",
      "DM-SERIAL-002",
      "DM-SERIAL-003",
      "DM-SERIAL-004",
    ],
    "tasks have the shape of the data model, as ProtoJSON",
    async () => {
      const wire = await open()
      const task = await begin(wire, "city")
      const done = await begin(wire, "oslo", { taskId: task.id })
      for (const { id, contextId, status, history = [], artifacts = [] } of [task, done]) {
        expect([typeof id, typeof contextId]).toEqual(["string", "string"])
        expect(status.state).toMatch(/^TASK_STATE_[A-Z_]+$/)
        expect(status.timestamp).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/)
        for (const { role, messageId, parts } of [
          ...history,
          ...(status.message === undefined ? [] : [status.message]),
        ]) {
          expect(role).toMatch(/^ROLE_(USER|AGENT)$/)
          expect([messageId === "", parts.length > 0]).toEqual([false, true])
          for (const part of parts)
            expect(["text", "raw", "url", "data"].filter((kind) => kind in part)).toHaveLength(1)
        }
        for (const artifact of artifacts)
          expect(artifact).toMatchObject({ artifactId: expect.any(String), parts: [{}] })
      }
      const ownNames = JSON.stringify({ ...done, history: [], status: { ...done.status, message: undefined } })
      expect([...ownNames.matchAll(/"([a-z]+_[a-z_]+)":/g)]).toEqual([])
    },
  )

  conforms("DM-SERIAL-005", "unknown fields are ignored", async () => {
    const wire = await open()
    const request = { ...message("hello", { novelty: { a: 1 } }), another: 42 }
    expect((await wire.call("SendMessage", request)).result.task).toMatchObject({
      status: { state: "TASK_STATE_COMPLETED" },
    })
  })
})
