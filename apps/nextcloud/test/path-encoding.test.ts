// Decoding and encoding of parts of addresses.

import { expect, it } from "vitest"
import { decodeSegment, lastSegment, userIdOf } from "../src/path-encoding.ts"

it("are read as they were meant, and left alone where they are not properly encoded", () => {
  expect(["a%20b", "50%", "%E0%A4%A", "%C3%BC"].map(decodeSegment)).toEqual(["a b", "50%", "%E0%A4%A", "ü"])
})

it("end where the address does", () => {
  const hrefs = ["/dav/calendars/alice/work/", "/dav/calendars/alice/50%25", "/dav/x/50%/", "/", ""]
  expect(hrefs.map(lastSegment)).toEqual(["work", "50%", "50%", "", ""])
})

it("name the person of a principal, and no person elsewhere", () => {
  const hrefs = ["/dav/principals/users/a%40b/", "principals/users/alice", "/dav/principals/groups/staff/", ""]
  expect(hrefs.map(userIdOf)).toEqual(["a@b", "alice", undefined, undefined])
})
