// Attacks on a consent: by a program, with a second account, and through unlucky timing.

import { toOwner } from "@holdpoint/accounts"
import { afterEach, describe, expect, it } from "vitest"
import type { ClientKind, House, HouseOptions } from "./house.ts"
import { agree, alice, openHouse, textIn } from "./house.ts"

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

const enter = async (options: HouseOptions = {}): Promise<House> => (house = await openHouse(options))

const idOf = ({ structuredContent }: { readonly structuredContent?: unknown }): number =>
  (structuredContent as { id: number }).id

describe.each<ClientKind>(["2026", "2025"])("a No from a client of kind %s", (client) => {
  it("counts, even when a Yes to another question has switched off asking in between", async () => {
    const [isAsked, isFirstDone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { call } = await enter({
      client,
      confirm: { "*": "once" },
      answer: async (prompt, here) => {
        if (!prompt.message.includes("Kept")) return agree(prompt, here)
        isAsked.resolve()
        await isFirstDone.promise
        return { action: "accept", content: { confirmed: false } }
      },
    })
    const gone = idOf(await call("nc_notes_create_note", { title: "Gone", content: "" }))
    const keptNote = idOf(await call("nc_notes_create_note", { title: "Kept", content: "" }))
    const second = call("nc_notes_delete_note", { note_id: keptNote })
    await isAsked.promise
    expect((await call("nc_notes_delete_note", { note_id: gone })).isError).toBeFalsy()
    isFirstDone.resolve()
    expect(textIn(await second)).toContain("said no")
    expect((await call("nc_notes_get_note", { note_id: keptNote })).isError).toBeFalsy()
  })
})

describe("revoking access", () => {
  it("names every account that is disconnected", async () => {
    let user = "alice"
    const { call, prompts, standIn, vault, hub } = await enter({
      answer: async (prompt, here) => {
        if (prompt.url === undefined) return agree(prompt, here)
        void here.allow(prompt.url, user)
        return { action: "accept" }
      },
    })
    await call("nc_notes_list_notes")
    standIn.world.tokens.clear()
    user = "bob"
    const again = call("nc_notes_list_notes")
    // The person has to confirm an account that differs from the one before.
    for (;;) {
      const [open] = await hub.list({ tenant: "local", state: "open", limit: 5 })
      const visitor = { principal: alice, session: "the browser of alice" }
      if (open !== undefined && (await vault.consent.attemptState(open, visitor)).kind === "confirming") {
        await vault.consent.confirm(open, visitor, true)
        break
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    const listed = await again
    expect(listed.isError, textIn(listed)).toBeFalsy()
    const standing = (await call("check_provisioning_status")).structuredContent
    expect(standing).toMatchObject({
      status: "connected",
      account: expect.stringMatching(/^Bob/),
      others: [expect.stringMatching(/^Alice/)],
    })
    const ended = await call("revoke_nextcloud_access")
    expect(ended.isError, textIn(ended)).toBeFalsy()
    expect(prompts.at(-1)?.message).toMatch(/^Disconnect Nextcloud \(Bob.*, Alice.*\)\?/)
    expect([...standIn.access("alice"), ...standIn.access("bob")]).toEqual([])
  })
})

describe("scopes", () => {
  it("for notes only do not allow pointing the notes folder at other files", async () => {
    const { call, prompts, vault } = await enter({
      answer: async (prompt, here) => (prompt.message.includes("files") ? { action: "decline" } : agree(prompt, here)),
    })
    expect((await call("nc_notes_create_note", { title: "New", content: "" })).isError).toBeFalsy()
    const pointed = await call("nc_notes_set_settings", { notes_path: "Documents" })
    expect(pointed.isError).toBe(true)
    expect(prompts.at(-1)?.message).toContain("read your files")
    expect((await vault.list(toOwner(alice))).map(({ scopes }) => scopes)).toEqual([["notes.write"]])
  })
})

describe("a withdrawn scope", () => {
  it("is missing for the next tool, resource and prompt, and no request is sent for them", async () => {
    let isWilling = true
    const { call, client, prompts, vault, standIn } = await enter({
      answer: async (prompt, here) => (isWilling ? agree(prompt, here) : { action: "decline" }),
    })
    await call("nc_notes_list_notes")
    await call("nc_files_list_directory", { path: "/" })
    const [connection] = await vault.list(toOwner(alice))
    await vault.narrow(connection?.id ?? "", { scopes: ["notes.read"], by: alice })
    isWilling = false
    const sent = standIn.requests.length
    expect((await call("nc_notes_list_notes")).isError).toBe(true)
    await expect(client.readResource({ uri: "nc://notes" })).rejects.toThrow()
    await expect(client.getPrompt({ name: "tidy_notes" })).rejects.toThrow()
    expect(prompts).toHaveLength(5)
    expect(standIn.requests.slice(sent).filter((line) => line.includes("/notes"))).toEqual([])
    expect((await call("nc_files_list_directory", { path: "/" })).isError, "the rest stays").toBeFalsy()
  })
})

describe("a pending link", () => {
  it("is not shown when it belongs to another process's pages", async () => {
    const { call, hub } = await enter({ client: "mute" })
    await hub.ask({
      message: "Connect Nextcloud.",
      url: "http://127.0.0.1:9/connect/of-a-process-that-is-gone",
      audience: alice,
      requester: { id: "Nextcloud tools" },
      context: { trigger: "credential_required", provider: "nextcloud" },
    })
    const { structuredContent } = await call("check_provisioning_status")
    expect(structuredContent).toEqual({ status: "not_connected", scopes: [] })
  })
})
