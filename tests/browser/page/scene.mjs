// A test of the page: starts a mock server and a browser page, waits for the first spectrum, and ends both.
import { after, before, test } from 'node:test';
import { launch, untilText, withPage } from '../browser.mjs';
import { MockServer } from '../mock_server.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/**
 * Runs use({ page, server }). options: server: state of the mock; hash, path: of the address; live: false if there
 * is no spectrum to wait for; page: options of the browser's context; before, allow: as for withPage.
 */
export function scene(name, options, use) {
  test(name, { timeout: 120000 }, async () => {
    const server = await new MockServer(options.server).start();
    try {
      const url = server.url + (options.path ?? '') + (options.hash ?? '');
      const settings = { colorScheme: 'dark', allow: options.allow, before: options.before, ...options.page };
      await withPage(
        browser,
        url,
        async (page) => {
          if (options.live !== false) await untilText(page, '#peak-hz', /Hz/);
          await use({ page, server });
        },
        settings,
      );
    } finally {
      await server.stop();
    }
  });
}
