import type { Socket } from 'node:net';
import { PROBLEM_MEDIA_TYPE, ProblemError, problemDocumentOf } from '../problems/problem-error.js';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Answers what the HTTP parser refuses before any handler sees it, and closes: where the next request begins is not known. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const problem = asProblem(error.code);
    const body = JSON.stringify(problemDocumentOf(problem));
    socket.write(
      `HTTP/1.1 ${problem.status} ${REASONS[problem.status] ?? ''}\r\nconnection: close\r\n` +
        `content-type: ${PROBLEM_MEDIA_TYPE}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}

function asProblem(code: string | undefined): ProblemError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ProblemError(
        408,
        'request-timeout',
        'The request came too slowly',
        'Send the headers within 20 s and the whole request within 60 s.',
      );
    case 'HPE_HEADER_OVERFLOW':
      return new ProblemError(
        431,
        'headers-too-large',
        'Address and headers are too large',
        'At most 16 KiB are accepted for both together.',
      );
    default:
      return new ProblemError(400, 'malformed-request', 'The request is not HTTP', 'Speak HTTP/1.1 to this port.');
  }
}
