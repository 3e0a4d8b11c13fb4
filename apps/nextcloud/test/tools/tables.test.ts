// Tables, with recorded responses of a real server: titles as keys, and values checked before they are sent.

import { describe, expect, it } from "vitest"
import { tableTools } from "../../src/tools/tables/tables.ts"
import { aboutOf, callTool, toolOf } from "../fits.ts"
import { connect } from "../nextcloud.ts"
import { tablesPeer } from "../peer/tables.ts"
import { recorded, type UnrecordedAnswer } from "../recorded.ts"
import { tablesSamples } from "../samples/tables.ts"
import { checkEvery } from "./every.ts"

const api = "/index.php/apps/tables/api/1"

function setUp(labels: readonly string[], answers: readonly UnrecordedAnswer[] = []) {
  const connected = connect(recorded("tables", labels, answers))
  const call = <O = Record<string, never>>(name: string, input: object) =>
    callTool<O>(toolOf(tableTools, `nc_tables_${name}`), input, connected.nextcloud)
  return { ...connected, call }
}

/** A column of each kind, as the server describes them. */
const kinds = [
  { id: 1, title: "Done", type: "selection", subtype: "check" },
  {
    id: 2,
    title: "Tags",
    type: "selection",
    subtype: "multi",
    selectionOptions: [
      { id: 0, label: "red" },
      { id: 1, label: "blue" },
    ],
  },
  { id: 3, title: "Day", type: "datetime", subtype: "date" },
  { id: 4, title: "When", type: "datetime", subtype: "" },
  { id: 5, title: "Name", type: "text", subtype: "line", mandatory: true, textDefault: "none" },
  { id: 6, title: "Same", type: "text", subtype: "line" },
  { id: 7, title: "Same", type: "text", subtype: "line" },
  { id: 8, title: "Hour", type: "datetime", subtype: "time" },
  { id: 9, title: "Page", type: "text", subtype: "link" },
  { id: 10, title: "Stars", type: "number", subtype: "stars" },
  { id: 11, title: "Progress", type: "number", subtype: "progress" },
  { id: 12, title: "Who", type: "usergroup", subtype: "" },
]
const columnsOf = (body: object): UnrecordedAnswer => ({ path: `${api}/tables/9/columns`, body })

describe("reading", () => {
  it("returns rows with titles as keys, labels in place of numbers, and a cursor", async () => {
    const { call, requests } = setUp(["columns", "rows page limit 3"])
    const page = await call<{ rows: readonly object[]; next_cursor: string }>("read_table", { table_id: 2, limit: 2 })
    expect(page.rows).toMatchObject([
      { id: 8, values: { Näme: "Äpfel", Preis: 3.5, Status: "Fertig" }, last_edit: "2026-11-15 07:18:13" },
      { id: 9, values: { Näme: "x", Preis: 0 } },
    ])
    expect(page).toMatchObject({ next_cursor: "at-2", url: "http://cloud.test/index.php/apps/tables/#/table/2" })
    expect(requests.map(({ path }) => path).sort()).toEqual([
      `${api}/tables/2/columns`,
      `${api}/tables/2/rows?limit=3&offset=0`,
    ])
  })

  it("continues at the cursor, and returns none at the end", async () => {
    const { call, requests } = setUp(["columns", "rows page 2"])
    const page = await call("read_table", { table_id: 2, limit: 50, cursor: "at-3" })
    expect(page).not.toHaveProperty("next_cursor")
    expect(requests.map(({ path }) => path)).toContain(`${api}/tables/2/rows?limit=51&offset=3`)
  })

  it("reads a view in place of a table, and refuses a call without either", async () => {
    const { call } = setUp(["view rows"], [{ path: `${api}/views/2/columns`, body: [kinds[4] ?? {}] }])
    expect(await call("read_table", { view_id: 2 })).toMatchObject({ url: expect.stringContaining("#/view/2") })
    await expect(call("read_table", {})).rejects.toThrow("Give `table_id` or `view_id`")
  })

  it("describes what each column accepts", async () => {
    const { call } = setUp(["columns"])
    expect((await call<{ columns: readonly object[] }>("get_schema", { table_id: 2 })).columns).toEqual([
      { id: 5, title: "Näme", type: "text", subtype: "line", mandatory: true, max_length: 50 },
      { id: 6, title: "Preis", type: "number", mandatory: false, min: 0, max: 1000 },
      { id: 7, title: "Status", type: "selection", mandatory: false, options: ["Offen", "Fertig"] },
      { id: 8, title: "Datum", type: "datetime", subtype: "date", mandatory: false },
    ])
  })

  it("lists tables with their views", async () => {
    const { call, requests } = setUp(["OCS v2 tables"])
    expect(await call("list_tables", { limit: 1 })).toMatchObject({
      tables: [
        { id: 1, title: "Welcome to Nextcloud Tables!", owner: "Alice Example", rows: 7, views: [{ id: 1, rows: 6 }] },
      ],
    })
    expect(requests[0]?.headers.get("ocs-apirequest")).toBe("true")
  })

  it("reports a missing table, although the server's response is empty", async () => {
    const { call } = setUp([], [{ path: `${api}/tables/9/columns`, status: 404, type: "text/html", body: "" }])
    await expect(call("get_schema", { table_id: 9 })).rejects.toMatchObject({ kind: "not_found" })
  })
})

describe("adding a row", () => {
  it("sends the ids of columns and of selected options", async () => {
    const { call, requests } = setUp(["columns", "OCS v2 create row"])
    await call("insert_row", { table_id: 2, values: { Näme: "via OCS", Preis: "3.5", Status: "Fertig" } })
    expect(requests[1]).toMatchObject({
      method: "POST",
      path: "/ocs/v2.php/apps/tables/api/2/tables/2/rows?format=json",
      body: '{"data":{"5":"via OCS","6":3.5,"7":1}}',
    })
  })

  it("links to the row itself", async () => {
    const { call } = setUp(["columns", "OCS v2 create row"])
    const { id, url } = await call<{ id: number; url: string }>("insert_row", { table_id: 2, values: { Näme: "x" } })
    expect(url).toBe(`http://cloud.test/index.php/apps/tables/#/table/2/row/${id}`)
  })

  it("reports everything that is wrong before anything is sent", async () => {
    const { call, requests } = setUp(["columns"])
    const values = { Name: "x", Preis: "much", Status: "Nowhere", Datum: "15.11.2026", Näme: "x".repeat(51) }
    const error = await call("insert_row", { table_id: 2, values }).catch((one: Error) => one.message)
    expect(error).toContain("there is no column “Name”")
    expect(error).toContain("“Preis” must be a number")
    expect(error).toContain("“Status” must be one of “Offen”, “Fertig”")
    expect(error).toContain("“Datum” must be like 2026-11-15")
    expect(error).toContain("“Näme” must not be longer than 50 characters")
    expect(error).toContain("Nothing was sent")
    await expect(call("insert_row", { table_id: 2, values: { Preis: 1 } })).rejects.toThrow("“Näme” must be given")
    await expect(call("insert_row", { table_id: 2, values: { Näme: "" } })).rejects.toThrow("“Näme” must not be empty")
    await expect(call("insert_row", { table_id: 2, values: { Näme: "a", Preis: -1 } })).rejects.toThrow("at least 0")
    await expect(call("insert_row", { table_id: 2, values: { Näme: "a", Preis: 1001 } })).rejects.toThrow(
      "at most 1000",
    )
    expect(requests.every(({ method }) => method === "GET")).toBe(true)
  })

  it("supports all kinds of columns, and distinguishes two with the same title", async () => {
    const row = {
      id: 1,
      tableId: 9,
      data: [
        { columnId: 1, value: "true" },
        { columnId: 2, value: [0, 1] },
      ],
    }
    const envelope = { ocs: { meta: { status: "ok", statuscode: 200 }, data: row } }
    const path = "/ocs/v2.php/apps/tables/api/2/tables/9/rows"
    const { call, requests } = setUp([], [columnsOf(kinds), { method: "POST", path, body: envelope }])
    const values = { Done: true, Tags: ["red", "blue"], Day: "2026-11-15", When: "2026-11-15 09:30", "Same (7)": "b" }
    expect(await call("insert_row", { table_id: 9, values })).toMatchObject({
      values: { Done: true, Tags: ["red", "blue"] },
    })
    expect(JSON.parse(requests[1]?.body ?? "")).toEqual({
      data: { 1: "true", 2: [0, 1], 3: "2026-11-15", 4: "2026-11-15 09:30", 7: "b" },
    })
    await expect(call("insert_row", { table_id: 9, values: { Same: "a" } })).rejects.toThrow("no column “Same”")
    await expect(call("insert_row", { table_id: 9, values: { Tags: ["red", "green"] } })).rejects.toThrow(
      "one of “red”",
    )
    await expect(call("insert_row", { table_id: 9, values: { Done: "perhaps" } })).rejects.toThrow("true or false")
  })

  it.each([
    [{ When: "2026-11-15T09:30:00Z" }, { 4: "2026-11-15 09:30" }],
    [{ When: "2026-11-15T09:30:00+01:00" }, { 4: "2026-11-15 09:30" }],
    [{ Hour: "09:30:00" }, { 8: "09:30" }],
    [{ Page: "https://example.com/a?b=1" }, { 9: "https://example.com/a?b=1" }],
    [{ Page: "Home (https://example.com)" }, { 9: "Home (https://example.com)" }],
    [{ Page: "https://a.cloud/x" }, { 9: '{"title":"https://a.cloud/x","value":"https://a.cloud/x"}' }],
    [{ Page: "https://a.com?b=1" }, { 9: '{"title":"https://a.com?b=1","value":"https://a.com?b=1"}' }],
    [
      { Stars: 5, Progress: "40" },
      { 10: 5, 11: 40 },
    ],
    [{ Who: "bob" }, { 12: [{ id: "bob", type: 0 }] }],
    [
      { Who: ["bob", { id: "devs", type: 1 }] },
      {
        12: [
          { id: "bob", type: 0 },
          { id: "devs", type: 1 },
        ],
      },
    ],
    [
      { Who: null, When: "" },
      { 12: null, 4: "" },
    ],
  ])("sends %j as the server stores it: %j", async (values, data) => {
    const envelope = { ocs: { meta: { status: "ok", statuscode: 200 }, data: { id: 1, tableId: 9, data: [] } } }
    const path = "/ocs/v2.php/apps/tables/api/2/tables/9/rows"
    const { call, requests } = setUp([], [columnsOf(kinds), { method: "POST", path, body: envelope }])
    await call("insert_row", { table_id: 9, values })
    expect(JSON.parse(requests[1]?.body ?? "")).toEqual({ data })
  })

  it.each([
    [{ Day: "2026-02-30" }, "“Day” must be like 2026-11-15"],
    [{ When: "2026-02-30 10:00" }, "“When” must be like 2026-11-15 09:30"],
    [{ When: "2026-11-15" }, "“When” must be like 2026-11-15 09:30"],
    [{ Hour: "25:00" }, "“Hour” must be like 09:30"],
    [{ Page: "example" }, "“Page” must be an address"],
    [{ Stars: 6 }, "“Stars” must be at most 5"],
    [{ Stars: 1.5 }, "“Stars” must be a whole number"],
    [{ Progress: 101 }, "“Progress” must be at most 100"],
    [{ Who: [{ name: "bob" }] }, "“Who” must be user ids"],
  ])("refuses %j, which the server would not store", async (values, words) => {
    const { call } = setUp([], [columnsOf(kinds)])
    await expect(call("insert_row", { table_id: 9, values })).rejects.toThrow(words)
  })

  it("passes on the server's message, which is outside the envelope's metadata", async () => {
    const meta = { status: "failure", statuscode: 400, message: "" }
    const body = { ocs: { meta, data: { message: "Mandatory column “Näme” cannot be empty." } } }
    const path = "/ocs/v2.php/apps/tables/api/2/tables/9/rows"
    const { call } = setUp([], [columnsOf(kinds), { method: "POST", path, status: 400, body }])
    await expect(call("insert_row", { table_id: 9, values: { Done: true } })).rejects.toThrow("“Näme” cannot be empty")
  })

  it("reports a missing permission", async () => {
    const path = "/ocs/v2.php/apps/tables/api/2/tables/2/rows"
    const { call } = setUp(["columns"], [{ method: "POST", path, status: 403, type: "text/html", body: "" }])
    await expect(call("insert_row", { table_id: 2, values: { Näme: "no" } })).rejects.toMatchObject({
      kind: "forbidden",
    })
  })
})

describe("changing and deleting a row", () => {
  const etagOf = async () => {
    const { call } = setUp(["columns", "rows page limit 3"])
    const { rows } = await call<{ rows: readonly { etag: string }[] }>("read_table", { table_id: 2 })
    return rows[0]?.etag ?? ""
  }

  it("sends only the cells that are given", async () => {
    const { call, requests } = setUp(["row", "columns", "update row"])
    const after = await call("update_row", { row_id: 8, etag: await etagOf(), values: { Näme: "Geändert" } })
    expect(after).toMatchObject({ id: 8, values: { Näme: "Geändert", Preis: 3.5, Status: "Fertig" } })
    expect(requests[2]).toMatchObject({ method: "PUT", path: `${api}/rows/8`, body: '{"data":{"5":"Geändert"}}' })
  })

  it("changes nothing when the row has changed since it was read, and returns the current one", async () => {
    const changed = { id: 8, tableId: 2, data: [{ columnId: 5, value: "Birnen" }] }
    const { call, requests } = setUp(["columns"], [{ path: `${api}/rows/8`, body: changed }])
    await expect(call("update_row", { row_id: 8, etag: await etagOf(), values: { Näme: "x" } })).rejects.toMatchObject({
      kind: "conflict",
      current: { id: 8, values: { Näme: "Birnen" } },
    })
    expect(requests.every(({ method }) => method === "GET")).toBe(true)
  })

  it("shows the cells before deleting, and deletes only what was shown", async () => {
    const tool = toolOf(tableTools, "nc_tables_delete_row")
    const { nextcloud, requests } = setUp(["row", "columns", "delete row"])
    const loss = await aboutOf(tool, { row_id: 8 }, nextcloud)
    expect(loss).toMatchObject({
      what: "the row “Äpfel”",
      details: ["Näme: Äpfel", "Preis: 3.5", "Status: Fertig", "It cannot be undone."],
    })
    expect(await callTool(tool, { row_id: 8 }, nextcloud, { loss })).toEqual({ deleted: 8 })
    expect(requests.at(-1)).toMatchObject({ method: "DELETE", path: `${api}/rows/8` })
    const other = { ...loss, guard: "other" }
    await expect(callTool(tool, { row_id: 8 }, nextcloud, { loss: other })).rejects.toMatchObject({ kind: "conflict" })
  })

  it("reports a missing row, although the server reports an internal error", async () => {
    const tool = toolOf(tableTools, "nc_tables_delete_row")
    const { nextcloud } = setUp(["row", "delete row again", "row missing"])
    for (const row_id of [8, 99_999])
      await expect(callTool(tool, { row_id }, nextcloud)).rejects.toMatchObject({
        kind: "not_found",
        message: expect.not.stringContaining("SELECT"),
      })
  })
})

checkEvery(tableTools, tablesSamples, tablesPeer)

describe("making tables", () => {
  it("creates a table with its columns, as recorded", async () => {
    const labels = ["create table", "create number column"]
    const { call, requests } = setUp(labels)
    const columns = [{ title: "Preis", type: "number", unit: "€", min: 0, max: 1000, decimals: 2 }]
    const created = await call("create_table", { title: "Tabelle 测试", emoji: "🦊", columns })
    expect(created).toMatchObject({ id: 2, columns: [{ id: expect.any(Number), title: expect.any(String) }] })
    const sent = requests.map(({ method, path, body }) => [`${method} ${path}`, JSON.parse(body) as unknown])
    expect(sent).toEqual([
      [`POST ${api}/tables`, { title: "Tabelle 测试", emoji: "🦊", template: "" }],
      [
        `POST ${api}/tables/2/columns`,
        expect.objectContaining({ type: "number", title: "Preis", numberMin: 0, numberMax: 1000, numberSuffix: "€" }),
      ],
    ])
  })

  it.each([
    [{ title: "S", type: "selection" }, "needs `options`"],
    [{ title: "T", type: "text", options: ["a"] }, "takes no options"],
    [{ title: "D", type: "date", min: 1 }, "takes no limits or unit of numbers"],
  ])("refuses a column with settings that do not fit its type: %j", async (column, words) => {
    const { call, requests } = setUp([])
    await expect(call("create_column", { table_id: 2, ...column })).rejects.toThrow(words)
    await expect(call("create_table", { title: "X", columns: [column] })).rejects.toThrow(words)
    expect(requests).toEqual([])
  })

  it("says what was created when a column could not be added", async () => {
    const refused: UnrecordedAnswer = {
      method: "POST",
      path: `${api}/tables/2/columns`,
      status: 400,
      body: { message: "no" },
    }
    const { call } = setUp(["create table"], [refused])
    const columns = [{ title: "A", type: "text" }]
    await expect(call("create_table", { title: "X", columns })).rejects.toThrow(
      /The table 2 was created, with 0 of 1 columns/,
    )
  })
})
