// Talk: what its tools send, and what they make of a real server's answers.

import { describe, expect, it } from "vitest"
import { toCapabilities } from "../../src/api/capabilities.ts"
import { fieldsOf } from "../../src/api/read.ts"
import { inWords } from "../../src/tools/talk/message.ts"
import { talkTools } from "../../src/tools/talk/talk.ts"
import { toolOf } from "../fits.ts"
import { connect } from "../nextcloud.ts"
import { talkPeer } from "../peer/talk.ts"
import type { UnrecordedAnswer } from "../recorded.ts"
import { recorded } from "../recorded.ts"
import { createRecordedCaller, failing } from "./recorded-call.ts"

const callRecorded = createRecordedCaller(talkTools)
const api = "/ocs/v2.php/apps/spreed/api"
const token = "dsyrd5bs"
const enveloped = (data: unknown) => ({ ocs: { meta: { status: "ok", statuscode: 200 }, data } })
const canDo = (...features: readonly string[]): UnrecordedAnswer => ({
  path: "/ocs/v2.php/cloud/capabilities",
  body: enveloped({ version: { string: "32.0.1", major: 32 }, capabilities: { spreed: { features } } }),
})

describe("reading Talk", () => {
  it("lists conversations, the latest first, with their unread counts", async () => {
    const { output, sent } = await callRecorded("nc_talk_list_conversations", {}, recorded("talk", ["rooms"]))
    expect(sent).toEqual([`GET ${api}/v4/room?format=json`])
    const conversations = output.conversations as readonly Record<string, unknown>[]
    expect(output.total).toBe(conversations.length)
    const times = conversations.map(({ last_activity }) => String(last_activity))
    expect(times).toEqual(times.toSorted().reverse())
    expect(conversations).toContainEqual(
      expect.objectContaining({
        token: "qpko9v5h",
        name: "Talk updates ✅",
        kind: "changelog",
        unread: 57,
        read_only: true,
        url: "http://cloud.test/index.php/call/qpko9v5h",
      }),
    )
  })

  it("finds conversations that are unread or match a name", async () => {
    const unread = await callRecorded("nc_talk_list_conversations", { unread: true }, recorded("talk", ["rooms"]))
    expect(unread.output).toMatchObject({ conversations: [{ token: "qpko9v5h" }, { unread: 7 }], total: 2 })
    const named = await callRecorded("nc_talk_list_conversations", { query: "to SELF" }, recorded("talk", ["rooms"]))
    expect(named.output).toMatchObject({ conversations: [{ kind: "note_to_self" }], total: 1 })
  })

  it("reads one conversation", async () => {
    const { output, sent } = await callRecorded("nc_talk_get_conversation", { token }, recorded("talk", ["get room"]))
    expect(sent).toEqual([`GET ${api}/v4/room/${token}?format=json`])
    expect(output).toMatchObject({ name: "Räum 🦊 测试", kind: "group", last_read_message: 73 })
  })

  it("lists the participants of a conversation with their roles", async () => {
    const { output, sent } = await callRecorded(
      "nc_talk_list_participants",
      { token },
      recorded("talk", ["participants"]),
    )
    expect(sent).toEqual([`GET ${api}/v4/room/${token}/participants?format=json`])
    expect(output).toMatchObject({
      total: 2,
      participants: [
        { id: "alice", role: "owner" },
        { id: "bob", name: "Bob Example", role: "user" },
      ],
    })
  })

  it("reads messages newest first, marks nothing as read, and continues after the last one returned", async () => {
    const { output, sent } = await callRecorded(
      "nc_talk_get_messages",
      { token, limit: 4 },
      recorded("talk", ["history"]),
    )
    expect(sent).toEqual([`GET ${api}/v1/chat/${token}?lookIntoFuture=0&setReadMarker=0&limit=4&format=json`])
    expect(output).toMatchObject({
      messages: [{ id: 85, text: "msg 5" }, { id: 84 }, { id: 83 }, { id: 82 }],
      next_cursor: "id-82",
    })
    const input = { token, limit: 4, cursor: "id-82" }
    const next = await callRecorded("nc_talk_get_messages", input, recorded("talk", ["history page 2"]))
    expect(next.sent[0]).toContain("lastKnownMessageId=82")
    const messages = next.output.messages as readonly Record<string, unknown>[]
    expect(messages.find(({ id }) => id === 79)).toMatchObject({ text: "Antwort", author: "bob", reply_to: 78 })
    expect(messages.find(({ id }) => id === 78)).toMatchObject({
      text: "Hallo @Bob Example 🦊 測試",
      url: `http://cloud.test/index.php/call/${token}#message_78`,
    })
  })

  it("returns no cursor when the server has no more", async () => {
    const { output } = await callRecorded(
      "nc_talk_get_messages",
      { token },
      recorded("talk", ["poll future no new (304)"]),
    )
    expect(output).toEqual({ messages: [] })
  })

  it("returns a cursor when all messages of a page are hidden or expired", async () => {
    const headers = { "content-type": "application/json", "x-chat-last-given": "40" }
    const answering = async () => new Response(JSON.stringify(enveloped([])), { headers })
    const { output } = await callRecorded("nc_talk_get_messages", { token }, answering)
    expect(output).toEqual({ messages: [], next_cursor: "id-40" })
  })

  it("refuses a cursor that was never issued", async () => {
    const error = await failing(
      callRecorded("nc_talk_get_messages", { token, cursor: "x" }, recorded("talk", ["history"])),
    )
    expect(error.kind).toBe("invalid")
  })

  it("says who reacted", async () => {
    const { output, sent } = await callRecorded(
      "nc_talk_list_reactions",
      { token, message_id: 78 },
      recorded("talk", ["reactions"]),
    )
    expect(sent).toEqual([`GET ${api}/v1/reaction/${token}/78?format=json`])
    expect(output).toEqual({ reactions: [{ reaction: "👍", by: ["Alice Example"] }] })
  })

  it("reports a missing conversation", async () => {
    const answering = recorded("talk", ["get room missing"])
    expect((await failing(callRecorded("nc_talk_get_conversation", { token: "nonexist" }, answering))).kind).toBe(
      "not_found",
    )
  })

  it("reports a malformed response", async () => {
    const broken: UnrecordedAnswer = { path: `${api}/v4/room`, body: enveloped([{ token: 5 }]) }
    expect((await failing(callRecorded("nc_talk_list_conversations", {}, recorded("talk", [], [broken])))).kind).toBe(
      "malformed",
    )
    const page: UnrecordedAnswer = { path: `${api}/v4/room`, type: "text/html", body: "<html>" }
    expect((await failing(callRecorded("nc_talk_list_conversations", {}, recorded("talk", [], [page])))).kind).toBe(
      "malformed",
    )
  })
})

describe("the text of a message", () => {
  const textOf = (message: string, messageParameters: object) =>
    inWords(fieldsOf({ message, messageParameters }, "reading"))

  it("names people, files and places", () => {
    const parameters = {
      "mention-user1": { type: "user", id: "bob", name: "Bob" },
      actor: { type: "user", id: "alice", name: "Alice" },
      file: { type: "file", id: "5", name: "plan.md", link: "https://cloud.test/f/5" },
      object: { type: "geo-location", id: "geo:1", name: "Office", latitude: "52.5", longitude: "13.4" },
    }
    const words = textOf("{actor} sent {mention-user1} {file} at {object}", parameters)
    expect(words).toBe("Alice sent @Bob [plan.md](https://cloud.test/f/5) at Office (52.5, 13.4)")
  })

  it("leaves braces that name no parameter unchanged", () => {
    expect(textOf("a {b} {constructor} c", {})).toBe("a {b} {constructor} c")
    expect(textOf("a {b}", [])).toBe("a {b}")
  })
})

const writes: readonly [string, object, readonly string[], readonly UnrecordedAnswer[], readonly string[]][] = [
  [
    "nc_talk_send_message",
    { token, message: "Antwort", reply_to: 78, silent: true },
    ["reply"],
    [],
    [`POST ${api}/v1/chat/${token}?format=json {"message":"Antwort","replyTo":78,"silent":true}`],
  ],
  ["nc_talk_mark_as_read", { token }, ["mark read"], [], [`POST ${api}/v1/chat/${token}/read?format=json {}`]],
  [
    "nc_talk_mark_as_read",
    { token, message_id: 80 },
    ["mark read"],
    [],
    [`POST ${api}/v1/chat/${token}/read?format=json {"lastReadMessage":80}`],
  ],
  [
    "nc_talk_create_conversation",
    { kind: "group", name: "Räum 🦊 测试" },
    ["create group room"],
    [],
    [`POST ${api}/v4/room?format=json {"roomType":2,"roomName":"Räum 🦊 测试"}`],
  ],
  [
    "nc_talk_create_conversation",
    { kind: "one_to_one", invite: "bob" },
    ["create 1-1 again (200)"],
    [],
    [`POST ${api}/v4/room?format=json {"roomType":1,"invite":"bob"}`],
  ],
  [
    "nc_talk_create_conversation",
    { kind: "group", name: "Devs", invite: "devs", invite_source: "groups" },
    ["create group room"],
    [],
    [`POST ${api}/v4/room?format=json {"roomType":2,"roomName":"Devs","invite":"devs","source":"groups"}`],
  ],
  [
    "nc_talk_create_conversation",
    { kind: "group", name: "Two", invite: "bob" },
    ["create group room"],
    [canDo("conversation-creation-all")],
    [`POST ${api}/v4/room?format=json {"roomType":2,"roomName":"Two","participants":{"users":["bob"]}}`],
  ],
  [
    "nc_talk_add_participant",
    { token, participant: "bob" },
    ["add participant"],
    [],
    [`POST ${api}/v4/room/${token}/participants?format=json {"newParticipant":"bob","source":"users"}`],
  ],
  [
    "nc_talk_react",
    { token, message_id: 78, reaction: "👍" },
    ["react"],
    [],
    [`POST ${api}/v1/reaction/${token}/78?format=json {"reaction":"👍"}`],
  ],
  [
    "nc_talk_react",
    { token, message_id: 78, reaction: "👍", on: false },
    [],
    [{ method: "DELETE", path: `${api}/v1/reaction/${token}/78`, body: enveloped([]) }],
    [`DELETE ${api}/v1/reaction/${token}/78?reaction=👍&format=json`],
  ],
]

describe("writing to Talk", () => {
  it.each(writes)("%s with %j sends exactly what Talk takes", async (name, input, labels, answers, expected) => {
    const { sent } = await callRecorded(name, input, recorded("talk", labels, answers))
    expect(sent).toEqual(expected)
    expect(sent).toHaveLength(toolOf(talkTools, name).requests)
  })

  it("does not invite a person where Talk would look for a group of that name", async () => {
    const input = { kind: "group", name: "Two", invite: "bob" }
    const error = await failing(
      callRecorded("nc_talk_create_conversation", input, recorded("talk", [], [canDo("chat-v2")])),
    )
    expect(error.kind).toBe("unsupported")
    expect(error.message).toContain("nc_talk_add_participant")
  })

  it("does not send a message again when it is unknown whether it was sent", async () => {
    const { nextcloud, requests } = connect(async () => new Response("", { status: 502 }))
    const input = { token, message: "x" }
    await failing(toolOf(talkTools, "nc_talk_send_message").run(input, nextcloud, {} as never) as Promise<unknown>)
    expect(requests).toHaveLength(1)
  })

  it.each([
    ["nc_talk_send_message", { token: "nonexist", message: "x" }, "send to missing", "not_found"],
    ["nc_talk_create_conversation", { kind: "one_to_one", invite: "nobody" }, "create 1-1 unknown user", "not_found"],
    ["nc_talk_react", { token, message_id: 78, reaction: "xx" }, "bad reaction", "invalid"],
    ["nc_talk_send_message", { token, message: "x" }, "send too long (413)", "too_large"],
  ])("%s with %j fails as recorded (%s)", async (name, input, label, kind) => {
    expect((await failing(callRecorded(name, input, recorded("talk", [label])))).kind).toBe(kind)
  })
})

describe("the offered tools of Talk", () => {
  const names = (spreed?: object) => {
    const capabilities = toCapabilities({
      version: { string: "32.0.1", major: 32 },
      capabilities: spreed === undefined ? {} : { spreed },
    })
    return talkTools.filter((tool) => tool.offered?.(capabilities)).map(({ name }) => name)
  }

  it("are none without the app, and include reactions only where Talk supports them", () => {
    expect(names()).toEqual([])
    expect(names({ features: ["chat-v2"] })).not.toContain("nc_talk_react")
    expect(names({ features: ["chat-v2", "reactions"] })).toHaveLength(talkTools.length)
  })

  it("include a counterpart for each of the peer's tools", () => {
    expect(Object.keys(talkPeer)).toHaveLength(11)
    const ours = talkTools.map(({ name }) => name)
    for (const name of Object.values(talkPeer)) expect(ours).toContain(/^\w+/.exec(name)?.[0])
  })
})
