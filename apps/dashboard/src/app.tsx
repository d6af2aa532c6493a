import { Suspense, lazy, useSyncExternalStore } from 'react';
import { Route, Routes } from 'react-router';
import { session } from './api/session.js';
import { Live } from './live/live.js';
import { Loading } from './parts/panel.js';
import { Shell } from './shell/shell.js';
import { SignIn } from './shell/sign-in.js';
import { FleetView } from './views/fleet/fleet.js';
import { NotFound } from './views/not-found.js';

const Replicas = lazy(() => import('./views/replicas.js'));
const Deployment = lazy(() => import('./views/deployment/deployment.js'));
const RoutesView = lazy(() => import('./views/routes.js'));
const Cost = lazy(() => import('./views/cost.js'));
const Capacity = lazy(() => import('./views/capacity/capacity.js'));
const Events = lazy(() => import('./views/events/events.js'));
const Apply = lazy(() => import('./views/apply/apply.js'));

export function App() {
  const { signIn } = useSyncExternalStore(
    (listener) => session.subscribe(listener),
    () => session.get(),
  );
  if (signIn) return <SignIn />;
  return (
    <Live>
      <Shell>
        <Suspense fallback={<Loading lines={6} />}>
          <Routes>
            <Route index element={<FleetView />} />
            <Route path="replicas" element={<Replicas />} />
            <Route path="deployments/:tenant/:name" element={<Deployment />} />
            <Route path="routes" element={<RoutesView />} />
            <Route path="cost" element={<Cost />} />
            <Route path="capacity" element={<Capacity />} />
            <Route path="events" element={<Events />} />
            <Route path="apply" element={<Apply />} />
            <Route path="*" element={<NotFound />} />
          </Routes>
        </Suspense>
      </Shell>
    </Live>
  );
}
