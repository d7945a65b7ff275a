// Loaded before the command line: signals this process itself, once, while it writes a text to standard error: the signal has come then, and Node has not told of it yet.
const { INTERLOCK_TEST_SIGNAL: signal, INTERLOCK_TEST_AT: at } = process.env;
const write = process.stderr.write.bind(process.stderr);
let done = false;
process.stderr.write = (text, ...more) => {
  const written = write(text, ...more);
  if (!done && String(text).includes(at)) {
    done = true;
    process.kill(process.pid, signal);
  }
  return written;
};
