// Decoding and encoding of parts of addresses.

import { expect, it } from "vitest"
import { decodeSegment, lastSegment, userIdOf } from "../src/path-encoding.ts"

it("a path segment is decoded, and left as it is when it is not properly encoded", () => {
  expect(["a%20b", "50%", "%E0%A4%A", "%C3%BC"].map(decodeSegment)).toEqual(["a b", "50%", "%E0%A4%A", "ü"])
})

it("the last segment of an address is the same with and without a trailing slash", () => {
  const hrefs = ["/dav/calendars/alice/work/", "/dav/calendars/alice/50%25", "/dav/x/50%/", "/", ""]
  expect(hrefs.map(lastSegment)).toEqual(["work", "50%", "50%", "", ""])
})

it("a user id is read from the address of a user, and from no other address", () => {
  const hrefs = ["/dav/principals/users/a%40b/", "principals/users/alice", "/dav/principals/groups/staff/", ""]
  expect(hrefs.map(userIdOf)).toEqual(["a@b", "alice", undefined, undefined])
})
