import type { PublicConfig } from '@orange-id/contract/config.schema';
import { prerender } from 'react-dom/static';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom';
import { App } from './app/App';
import { routes } from './app/routes';
import { narrowScreen, usageScreens } from './features/landing/landing.pictures';

export interface PrerenderedPage {
  html: string;
  /** The picture at the top, if there is one: its URL for each condition under which a browser shows it. */
  pictures: { href: string; media: string }[];
}

/**
 * Renders a page for a visitor, as the browser first renders it. `config` may contain placeholders for the server.
 */
export async function prerenderPage(path: string, config: PublicConfig): Promise<PrerenderedPage> {
  const { query, dataRoutes } = createStaticHandler(routes);
  const context = await query(new Request(`http://localhost${path}`));
  if (context instanceof Response) throw new Error(`Rendering ${path} answered ${context.status}`);
  const { prelude } = await prerender(
    <App config={config}>
      <StaticRouterProvider
        router={createStaticRouter(dataRoutes, context)}
        context={context}
        hydrate={false}
      />
    </App>,
    {
      // React renders larger parts at the end, with a script that moves them to their place.
      progressiveChunkSize: Infinity,
      onError: (error) => {
        throw error;
      },
    },
  );
  return {
    html: await new Response(prelude as unknown as ReadableStream).text(),
    pictures: path === '/' ? topPictures() : [],
  };
}

const topPictures = (): PrerenderedPage['pictures'] =>
  (['light', 'dark'] as const).flatMap((mode) => {
    const { wide, narrow } = usageScreens[mode];
    const inMode = `(prefers-color-scheme: ${mode})`;
    return [
      { href: narrow.src, media: `${narrowScreen} and ${inMode}` },
      { href: wide.src, media: `(not ${narrowScreen}) and ${inMode}` },
    ];
  });
