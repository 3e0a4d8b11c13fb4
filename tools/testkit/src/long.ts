// The number of repetitions: few in the usual test run, many in the long run (npm run test:long).

export const isLong = process.env.HOLDPOINT_LONG === "1"

export const usually = <T>(few: T, { long }: { readonly long: T }): T => (isLong ? long : few)
