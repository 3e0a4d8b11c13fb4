// Times as models and people read them: ISO 8601.

/** Converts seconds since 1970, which most apps use. */
export const fromSeconds = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(".000Z", "Z")
