export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is; set `content-type` beside it. */
  readonly body?: string;
  /** Whole exchange, connect to last byte. */
  readonly timeoutMs: number;
  /** A longer body, after decompression, is a failure of kind `too-large`, and reading stops there. Default 1 MiB. */
  readonly maxBytes?: number;
  /** Certificate authorities, in PEM, that this exchange trusts instead of the usual ones. */
  readonly ca?: string;
  /** Cuts the exchange; it then ends in a failure, whose reason says nothing. A client without that ability goes on. */
  readonly signal?: AbortSignal;
  /**
   * Takes the body as it arrives, decompressed, instead of `body` in the outcome. Pieces may come of an exchange that ends in
   * failure after all.
   */
  readonly onBytes?: (piece: Uint8Array) => void;
}

/** What an HTTP exchange can end in. A failure says nothing about whether the server acted on the request. */
export type HttpOutcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly kind: 'failure'; readonly reason: HttpFailure; readonly detail: string };

export type HttpFailure = 'refused' | 'timeout' | 'reset' | 'dns' | 'tls' | 'too-large' | 'other';

/** Outgoing HTTP. It never throws, never follows redirects, and never retries. */
export interface HttpClient {
  request(request: HttpRequest): Promise<HttpOutcome>;
}
