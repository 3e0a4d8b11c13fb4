// Consent at the first call that needs it: requested once, for exactly that call's scopes; remembered, widened,
// revoked.

import { afterEach, describe, expect, it } from "vitest"
import type { ClientKind, House, HouseOptions } from "./house.ts"
import { agree, openHouse, textIn } from "./house.ts"

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

const enter = async (options: HouseOptions = {}): Promise<House> => (house = await openHouse(options))

describe.each<ClientKind>(["2026", "2025", "form-only"])("a client of kind %s", (client) => {
  it("is asked at the first call that needs the account, and the same call returns its result", async () => {
    const { call, prompts } = await enter({
      client,
      answer: async (prompt, here) => {
        const link = prompt.url ?? /http\S+\/connect\/[\w-]+/.exec(prompt.message)?.[0]
        if (link === undefined) return agree(prompt, here)
        void here.allow(link)
        return { action: "accept", ...(prompt.url === undefined ? { content: { acknowledged: true } } : {}) }
      },
    })
    const listed = await call("nc_notes_list_notes")
    expect(listed.isError, textIn(listed)).toBeFalsy()
    expect((listed.structuredContent as { total: number }).total).toBeGreaterThan(3)
    expect(prompts).toHaveLength(1)
    expect(prompts[0]?.message).toContain("read your notes")
    expect((await call("nc_notes_list_notes")).isError).toBeFalsy()
    expect(prompts, "nobody is asked twice").toHaveLength(1)
  })
})

describe("check_logged_in", () => {
  it.each<ClientKind>(["form-only", "2025"])(
    "says within one hold that no login was detected, when a client of kind %s agrees and the person does not log in",
    async (client) => {
      const { call } = await enter({
        ...{ client, mcp: { holdMs: 200 } },
        answer: async ({ url }) => ({
          action: "accept",
          ...(url === undefined ? { content: { acknowledged: true } } : {}),
        }),
      })
      const before = Date.now()
      expect(textIn(await call("check_logged_in"))).toContain("Login not detected")
      expect(Date.now() - before, "not after the whole 300 s").toBeLessThan(10_000)
    },
  )
})

describe("consent", () => {
  it("covers exactly what the call needs, and later access takes one more Yes without another login", async () => {
    const { call, prompts, standIn } = await enter()
    await call("nc_notes_list_notes")
    const passwords = standIn.access("alice").length
    const created = await call("nc_notes_create_note", { title: "New", content: "text" })
    expect(created.isError, textIn(created)).toBeFalsy()
    expect(prompts.map(({ message }) => message)).toEqual([
      expect.stringContaining("read your notes"),
      expect.stringContaining("more access"),
    ])
    expect(standIn.access("alice")).toHaveLength(passwords)
  })

  it("is requested in one prompt for all concurrent calls", async () => {
    const { call, prompts } = await enter()
    const results = await Promise.all([
      call("nc_notes_list_notes"),
      call("nc_files_list_directory", { path: "/" }),
      call("nc_contacts_list_addressbooks"),
    ])
    expect(results.map(({ isError }) => isError === true)).toEqual([false, false, false])
    expect(prompts).toHaveLength(1)
    const message = prompts[0]?.message ?? ""
    for (const words of ["read your notes", "files", "contacts"]) expect(message).toContain(words)
  })

  it("is requested once more, with the reason, after the app password was deleted at Nextcloud", async () => {
    const { call, prompts, standIn } = await enter()
    await call("nc_notes_list_notes")
    standIn.world.tokens.clear()
    const again = await call("nc_notes_list_notes")
    expect(again.isError, textIn(again)).toBeFalsy()
    expect(prompts).toHaveLength(2)
    expect(prompts[1]?.message).toMatch(/again/)
  })

  it("is not requested again while the account is disabled: calls say so, and work once it is enabled", async () => {
    const { call, prompts, standIn } = await enter()
    const calls = [
      () => call("nc_files_list_directory", { path: "/" }),
      () => call("nc_notes_list_notes"),
      () => call("nc_sharing_list_shares"),
    ]
    for (const one of calls) await one()
    const before = prompts.length
    standIn.switches.disabled.add("alice")
    for (const one of calls) {
      const refused = await one()
      expect(refused.isError).toBe(true)
      expect(textIn(refused)).toContain("account is disabled")
      expect(textIn(refused)).toContain("administrator")
    }
    standIn.switches.disabled.delete("alice")
    for (const one of calls) expect((await one()).isError).toBeFalsy()
    expect(prompts).toHaveLength(before)
  })

  it("is not requested again in the same call after it was declined", async () => {
    const { call, prompts } = await enter({ answer: async () => ({ action: "decline" }) })
    const refused = await call("nc_notes_list_notes")
    expect(refused.isError).toBe(true)
    expect(textIn(refused)).toContain("said no")
    expect(prompts).toHaveLength(1)
  })
})

describe("the access tools", () => {
  const manual = [
    "provision_nextcloud_access",
    "request_nextcloud_access",
    "check_provisioning_status",
    "check_logged_in",
  ]

  it.each<[ClientKind, boolean]>([
    ["2026", false],
    ["2025", false],
    ["form-only", true],
    ["mute", true],
  ])("are listed for a client of kind %s: %s", async (client, areListed) => {
    const { client: official } = await enter({ client })
    const names = (await official.listTools()).tools.map(({ name }) => name)
    expect(names).toContain("revoke_nextcloud_access")
    expect(manual.filter((name) => names.includes(name))).toEqual(areListed ? manual : [])
  })

  it("answer with a warning where they are not listed", async () => {
    const { call } = await enter()
    expect(textIn(await call("check_provisioning_status"))).toContain("Yours can")
  })

  it("let a client that cannot be asked connect an account", async () => {
    const { call, allow } = await enter({ client: "mute" })
    const status = async () => (await call("check_provisioning_status")).structuredContent as { status: string }
    expect((await status()).status).toBe("not_connected")
    const result = await call("provision_nextcloud_access", { scopes: ["notes.read"] })
    const { link } = result.structuredContent as { link: string }
    expect(textIn(result)).toContain(link)
    expect(await status()).toMatchObject({ status: "not_connected", pending: link })
    await allow(link)
    expect(await status()).toMatchObject({ status: "connected", scopes: ["notes.read"] })
    expect((await call("nc_notes_list_notes")).isError).toBeFalsy()
  })

  it.each([
    ["accept", "yes"],
    ["decline", "Login declined by user."],
    ["cancel", "Login cancelled by user."],
  ] as const)("report the outcome of a login in fixed words: %s", async (action, words) => {
    const { call } = await enter({
      client: "2025",
      answer: async (prompt, here) => (action === "accept" ? agree(prompt, here) : { action }),
    })
    const [first] = (await call("check_logged_in")).content ?? []
    expect(first).toEqual({ type: "text", text: words })
  })

  it("say that no login was detected when the person cannot be asked", async () => {
    const { call } = await enter({ client: "mute" })
    expect(textIn(await call("check_logged_in"))).toContain("Login not detected")
  })

  it("revoke the access at Nextcloud after a Yes", async () => {
    const { call, prompts, standIn } = await enter()
    await call("nc_notes_list_notes")
    expect(standIn.access("alice")).toHaveLength(1)
    const ended = await call("revoke_nextcloud_access")
    expect(ended.isError, textIn(ended)).toBeFalsy()
    expect(prompts.at(-1)?.message).toContain("Disconnect")
    expect(standIn.access("alice")).toHaveLength(0)
  })

  it("name the nearest scope when one is mistyped", async () => {
    const { call } = await enter({ client: "mute" })
    expect(textIn(await call("provision_nextcloud_access", { scopes: ["notes.raed"] }))).toContain("notes.read")
  })
})
