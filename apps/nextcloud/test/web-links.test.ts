// Links to objects whose names need percent-encoding: the web interface compares a link with the address as the server
// writes it.

import { expect, it } from "vitest"
import type { Nextcloud } from "../src/api/nextcloud.ts"
import { toServerEncoding } from "../src/path-encoding.ts"
import { contactLink } from "../src/tools/contacts/api.ts"
import { taskLink } from "../src/tools/tasks/task.ts"

const nextcloud = { link: (path: string) => path } as Nextcloud

it("a link has lower-case percent-encoding, and keeps characters that the server keeps", () => {
  expect(toServerEncoding(encodeURIComponent("büro@home: a!"))).toBe("b%c3%bcro@home:%20a%21")
})

it("a link leads to a task in any list", () => {
  expect(taskLink(nextcloud, "work/todo1.ics")).toBe("/apps/tasks/calendars/work/tasks/todo1.ics")
  const named = taskLink(nextcloud, `${encodeURIComponent("büro")}/a.ics`)
  expect(decodeURIComponent(named)).toBe("/apps/tasks/calendars/b%c3%bcro/tasks/a.ics")
})

it("a link to a contact is encoded once more, because its page decodes it once more", () => {
  expect(contactLink(nextcloud, "contacts", "u-1")).toBe("/apps/contacts/direct/contact/u-1~contacts")
  const named = contactLink(nextcloud, "büro", "a@b")
  expect(decodeURIComponent(decodeURIComponent(named))).toBe("/apps/contacts/direct/contact/a@b~b%c3%bcro")
})
