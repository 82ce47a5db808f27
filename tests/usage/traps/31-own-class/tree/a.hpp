template <class T> class NVSHMEMSpace { public: static int name(); };
int f() { return NVSHMEMSpace<int>::name(); }
