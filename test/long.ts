// How often something is repeated: a few times in the usual run, many in the long one (npm run test:long).

export const isLong = process.env.HOLDPOINT_LONG === "1"

export const usually = <T>(few: T, { long }: { readonly long: T }): T => (isLong ? long : few)
