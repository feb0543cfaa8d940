// The browser of the tests: $CHROMIUM, or else the one that is installed.
import { existsSync } from 'node:fs';

// The headless shell is the same engine without windows and tool bars: a page opens with half the processor time.
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

export const CHROMIUM = process.env.CHROMIUM ?? INSTALLED.find((path) => existsSync(path)) ?? 'chromium';
