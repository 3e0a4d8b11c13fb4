// Whether a group has the server's user as its only member. Many systems give each user a group of their own, and make
// new files writable for it.

import { readFileSync } from "node:fs"

export function isPrivateGroup(gid: number): boolean {
  const uid = process.getuid?.()
  if (uid === undefined || gid !== process.getgid?.()) return false
  try {
    return isOnlyMember({ uid, gid }, readFileSync("/etc/passwd", "utf8"), readFileSync("/etc/group", "utf8"))
  } catch {
    // Without these files, no group counts as private.
    return false
  }
}

/** Reads the texts of /etc/passwd and /etc/group. False for users and groups that are defined elsewhere. */
export function isOnlyMember(
  { uid, gid }: { readonly uid: number; readonly gid: number },
  passwd: string,
  group: string,
): boolean {
  const users = fieldsOf(passwd)
  const name = users.find(([, , id]) => id === String(uid))?.[0]
  const members = fieldsOf(group).find(([, , id]) => id === String(gid))?.[3]
  if (name === undefined || members === undefined) return false
  const otherUsers = users.filter(([, , id, primary]) => primary === String(gid) && id !== String(uid))
  return otherUsers.length === 0 && members.split(",").every((member) => member === "" || member === name)
}

const fieldsOf = (text: string): readonly (readonly string[])[] =>
  text.split("\n").map((line) => line.trim().split(":"))
