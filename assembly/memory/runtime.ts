// Stands in for the language's own runtime (asconfig.json): it brings the functions of object.ts in and exports nothing.

import "./object";
