// createReachLab as a component of the dashboard.

import { mounted } from "./mounted.js";
import { createReachLab } from "./reachlab.js";

export default mounted(createReachLab);
