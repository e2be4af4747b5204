import type { PublicConfig } from '@orange-id/contract/config.schema';
import { prerender } from 'react-dom/static';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom';
import { App } from './app/App';
import { routes } from './app/routes';

/** Draws `/` for a visitor, as the browser will draw it first. `config` may hold marks that the server fills in. */
export async function prerenderHome(config: PublicConfig): Promise<string> {
  const { query, dataRoutes } = createStaticHandler(routes);
  const context = await query(new Request('http://localhost/'));
  if (context instanceof Response) throw new Error(`drawing / answered ${context.status}`);
  const { prelude } = await prerender(
    <App config={config}>
      <StaticRouterProvider
        router={createStaticRouter(dataRoutes, context)}
        context={context}
        hydrate={false}
      />
    </App>,
    {
      // Larger parts would come apart from their place, with a script that puts them there.
      progressiveChunkSize: Infinity,
      onError: (error) => {
        throw error;
      },
    },
  );
  return new Response(prelude as unknown as ReadableStream).text();
}
