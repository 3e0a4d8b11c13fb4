// The parent of the questions of a call that no client comes back for. Pure.

const prefix = "call "

/** The parent of a call's questions, for `hub.list`. */
export const parentOfCall = (id: string): string => `${prefix}${id}`

export const isCallParent = (parent: string): boolean => parent.startsWith(prefix)

/** The id of the call whose questions have this parent. Undefined for other parents. */
export const callOfParent = (parent: string | undefined): string | undefined =>
  parent !== undefined && isCallParent(parent) ? parent.slice(prefix.length) : undefined
