// One test of the page: a mock server, a browser page that has drawn its first spectrum, and the end of both.
import { after, before, test } from 'node:test';
import { launch, untilText, withPage } from '../browser.mjs';
import { MockServer } from '../mock_server.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

/**
 * use({ page, server }). options: server: the mock's state; hash, path: of the address; live: false if no
 * spectrum comes; page: of the browser's context; before(page): before the page loads; allow: expected complaints.
 */
export function scene(name, options, use) {
  test(name, { timeout: 120000 }, async () => {
    const server = await new MockServer(options.server).start();
    try {
      const url = server.url + (options.path ?? '') + (options.hash ?? '');
      const settings = { colorScheme: 'dark', allow: options.allow, before: options.before, ...options.page };
      await withPage(browser, url, async (page) => {
        if (options.live !== false) await untilText(page, '#peak-hz', /Hz/);
        await use({ page, server });
      }, settings);
    } finally {
      await server.stop();
    }
  });
}
