// A stream that ends where its caller is no longer let in: it may stand for days, and a key that is taken back ends it.

/** An answer whose body ends once `stands` fails; that is asked every so many milliseconds. An answer without a stream is as it was. */
export function standing(response: Response, stands: () => Promise<unknown>, everyMs: number): Response {
  if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true || response.body === null) return response;
  const reader = response.body.getReader();
  let isLeft = false;
  let looks: ReturnType<typeof setInterval> | undefined;
  const over = async (): Promise<void> => {
    clearInterval(looks);
    await reader.cancel().catch(() => undefined);
  };
  const body = new ReadableStream<Uint8Array>({
    start() {
      looks = setInterval(() => void stands().catch(over), everyMs);
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      clearInterval(looks);
      if (!isLeft) controller.close();
    },
    cancel() {
      isLeft = true;
      return over();
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
