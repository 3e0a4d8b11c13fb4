// Etags come with quotes, with a mark of weakness, and with what a proxy adds when it compresses: none of that is theirs.

export const bare = (etag: string): string =>
  etag
    .trim()
    .replace(/^W\//i, "")
    .replace(/^"|"$/g, "")
    .replace(/(-{1,2}|;)(gzip|br|zstd|deflate)$/i, "")
