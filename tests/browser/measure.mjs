// Measures the page with a real fftd in headless Chromium: load time, drawing and bytes. Not a test: a busy
// machine changes the figures, so compare two programs or two folders of the page in alternating runs.
//
//     FFTD=build/dev/daemon/fftd node measure.mjs load|draw|4k|bytes|latency [SECONDS] [fftd arguments...]
import { launch, untilText, withPage } from './browser.mjs';
import { startDaemon } from './daemon.mjs';

const [what = 'draw', secondsText = '8', ...more] = process.argv.slice(2),
  seconds = Number(secondsText);
const wait = (s) =>
  new Promise((done) => {
    setTimeout(done, 1000 * s);
  });
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Runs use(page, daemon) on the page of an fftd with these arguments. */
async function onPage(browser, args, hash, options, use) {
  const daemon = await startDaemon([...args, ...more]);
  try {
    await withPage(
      browser,
      daemon.url + hash,
      async (page) => {
        await untilText(page, '#peak-hz', /Hz/);
        await use(page, daemon);
      },
      options,
    );
  } finally {
    await daemon.stop();
  }
}

/** Runs in the page before its scripts: window.steps has the time of each step since the navigation, in ms. */
function traceSteps() {
  const steps = (window.steps = {}),
    note = (name) => {
      steps[name] ??= performance.now();
    };
  const kindOf = (data) =>
    typeof data === 'string' ? 'first message' : new Uint8Array(data)[5] === 4 ? 'rows of the past' : 'first frame';
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...args) {
      note('script runs');
      super(...args);
      this.addEventListener('open', () => note('websocket open'));
      this.addEventListener('message', ({ data }) => note(kindOf(data)));
    }
  };
  const look = () => {
    if (/Hz/.test(document.getElementById('peak-hz')?.textContent ?? '')) note('spectrum drawn');
    if (steps['spectrum drawn'] && steps['rows of the past']) requestAnimationFrame(() => note('picture complete'));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** From the navigation to spectrum and waterfall on screen, in ms, each time in a browser without a cache. */
async function load(browser) {
  const daemon = await startDaemon(['--source', 'sim', ...more]),
    runs = [];
  let session;
  await wait(11); // so that there are 10 s of the past
  for (let i = 0; i < 7; i++)
    await withPage(
      browser,
      daemon.url,
      async (page) => {
        const steps = await (
          await page.waitForFunction(() => window.steps['picture complete'] && window.steps)
        ).jsonValue();
        const { responseEnd } = await page.evaluate(() => performance.getEntriesByType('navigation')[0].toJSON());
        const { metrics } = await session.send('Performance.getMetrics');
        const busy = Object.fromEntries(metrics.map(({ name, value }) => [name, 1000 * value]));
        runs.push({
          'document received': responseEnd,
          ...steps,
          'main thread busy': busy.TaskDuration,
          'of it script': busy.ScriptDuration,
          'of it layout and styles': busy.LayoutDuration + busy.RecalcStyleDuration,
        });
      },
      {
        before: async (page) => {
          session = await page.context().newCDPSession(page);
          await session.send('Performance.enable', { timeDomain: 'threadTicks' });
          await page.addInitScript(traceSteps);
        },
      },
    );
  await daemon.stop();
  const middle = (name) => median(runs.map((run) => run[name]));
  for (const name of Object.keys(runs[0]).sort((a, b) => middle(a) - middle(b)))
    console.log(
      `${name}: median ${middle(name).toFixed(0)} ms of ${runs.map((run) => run[name].toFixed(0)).join(' ')}`,
    );
}

/** Frames a second, and how busy the main thread is: its own time, so that other programs count less. */
async function draw(browser, { width, height, ratio, rate }) {
  const options = { viewport: { width, height }, deviceScaleFactor: ratio };
  await onPage(browser, ['--source', 'sim', '--line-rate', String(rate)], '#renderer=2d', options, async (page) => {
    const session = await page.context().newCDPSession(page);
    const sent = { credits: 0 };
    session.on('Network.webSocketFrameSent', ({ response }) => {
      const message = JSON.parse(response.payloadData);
      if (message.type === 'credit') sent.credits += message.count;
    });
    await session.send('Network.enable');
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const read = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return {
        ...Object.fromEntries(metrics.map(({ name, value }) => [name, value])),
        credits: sent.credits,
        at: performance.now(),
      };
    };
    await wait(3);
    const before = await read();
    await page.evaluate(() => {
      window.frames_ = 0;
      const step = () => {
        window.frames_ += 1;
        requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    });
    await wait(seconds);
    const after = await read(),
      s = (after.at - before.at) / 1000;
    const columns = await page.evaluate(() => document.getElementById('waterfall').width);
    const task = after.TaskDuration - before.TaskDuration,
      script = after.ScriptDuration - before.ScriptDuration;
    const lines = after.credits - before.credits;
    console.log(
      `${columns} columns, ${rate} lines/s: ${(lines / s).toFixed(1)} lines/s drawn, `
        + `${((await page.evaluate(() => window.frames_)) / s).toFixed(1)} `
        + `animation frames/s, main thread ${((100 * task) / s).toFixed(1)} %, `
        + `${((1000 * task) / lines).toFixed(2)} ms a line, `
        + `of it script ${((1000 * script) / lines).toFixed(2)} ms`,
    );
  });
}

/** What the websocket costs, by kind of message. */
async function bytes(browser) {
  for (const hash of ['#detector=mean', '#detector=max', '#detector=mean&economy=on', '#detector=max&economy=on']) {
    await onPage(browser, ['--source', 'sim'], hash, { viewport: { width: 1024 + 70, height: 720 } }, async (page) => {
      const session = await page.context().newCDPSession(page),
        sum = { frames: 0, frameBytes: 0, texts: 0, textBytes: 0 };
      session.on('Network.webSocketFrameReceived', ({ response: { opcode, payloadData } }) => {
        if (opcode === 2) {
          sum.frames += 1;
          sum.frameBytes += Buffer.from(payloadData, 'base64').length;
        } else {
          sum.texts += 1;
          sum.textBytes += payloadData.length;
        }
      });
      await wait(2);
      await session.send('Network.enable');
      await wait(seconds);
      console.log(
        `${hash}: ${sum.frames} frames of ${(sum.frameBytes / sum.frames).toFixed(0)} bytes, `
          + `${(sum.frameBytes / seconds / 1000).toFixed(2)} kB/s; `
          + `${sum.texts} texts of ${(sum.textBytes / Math.max(1, sum.texts)).toFixed(0)} bytes, `
          + `${(sum.textBytes / seconds / 1000).toFixed(2)} kB/s`,
      );
    });
  }
}

const RATE_HZ = 250e3,
  PERIOD_S = 1;

/**
 * Noise, with a tone at +RATE_HZ / 4 in the second half of each period, at the pace of the clock.
 * @returns {{ starts: number[], stop: () => void }}  starts: when the first sample of each tone was written, as
 *   Date.now()
 */
function feed(stdin) {
  const starts = [],
    began = performance.now();
  let written = 0,
    on = false;
  stdin.on('error', () => {});
  const timer = setInterval(() => {
    const until = Math.floor(((performance.now() - began) / 1000) * RATE_HZ),
      chunk = Buffer.alloc(4 * (until - written));
    for (let i = 0; written < until; i++, written++) {
      const tone = (written / RATE_HZ) % PERIOD_S >= PERIOD_S / 2 ? 16000 : 0,
        quarter = written & 3;
      if (tone && !on) starts.push(Date.now());
      on = tone > 0;
      chunk.writeInt16LE(Math.round(tone * [1, 0, -1, 0][quarter] + 20 * (Math.random() - 0.5)), 4 * i);
      chunk.writeInt16LE(Math.round(tone * [0, 1, 0, -1][quarter] + 20 * (Math.random() - 0.5)), 4 * i + 2);
    }
    stdin.write(chunk);
  }, 5);
  return {
    starts,
    stop: () => {
      clearInterval(timer);
      stdin.end();
    },
  };
}

/** From a tone's first sample on fftd's standard input to its colour on the canvas, in ms. */
async function latency(browser) {
  const daemon = await startDaemon(
    ['--replay', '-', '--format', 'cs16', '--rate', String(RATE_HZ), '--fft-size', '1024', ...more],
    'pipe',
  );
  const source = feed(daemon.stdin);
  await withPage(
    browser,
    `${daemon.url}#renderer=2d&bottom=-110&top=0`,
    async (page) => {
      await untilText(page, '#peak-hz', /Hz/);
      await wait(2);
      const samples = await page.evaluate(
        (ms) =>
          new Promise((done) => {
            const canvas = document.getElementById('waterfall'),
              context = canvas.getContext('2d'),
              found = [],
              end = Date.now() + ms;
            const step = () => {
              const strip = context.getImageData(
                Math.floor(canvas.width * 0.7),
                0,
                Math.ceil(canvas.width * 0.1),
                1,
              ).data;
              let brightest = 0;
              for (let i = 0; i < strip.length; i += 4)
                brightest = Math.max(brightest, strip[i] + strip[i + 1] + strip[i + 2]);
              found.push([Date.now(), brightest]);
              if (Date.now() < end) requestAnimationFrame(step);
              else done(found);
            };
            requestAnimationFrame(step);
          }),
        1000 * seconds,
      );
      source.stop();
      const levels = samples.map(([, level]) => level),
        middle = (Math.max(...levels) + Math.min(...levels)) / 2;
      const delays = source.starts
        .filter((start) => start > samples[0][0] && start + 450 < samples.at(-1)[0])
        .map((start) => samples.find(([at, level]) => at >= start && level > middle)[0] - start);
      console.log(
        `tone to canvas: median ${median(delays)} ms of ${delays.join(' ')}; `
          + `${(samples.length / seconds).toFixed(1)} animation frames/s`,
      );
    },
    { allow: /willReadFrequently/ },
  );
  await daemon.stop();
}

const browser = await launch();
try {
  if (what === 'load') await load(browser);
  else if (what === 'draw') await draw(browser, { width: 1280, height: 720, ratio: 1.7, rate: 30 });
  else if (what === '4k') await draw(browser, { width: 3840, height: 2160, ratio: 1, rate: 30 });
  else if (what === 'bytes') await bytes(browser);
  else if (what === 'latency') await latency(browser);
  else throw new Error(`measure: ${what} is not load, draw, 4k, bytes or latency`);
} finally {
  await browser.close();
}
